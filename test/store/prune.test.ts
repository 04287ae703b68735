import { describe, expect, test } from "vitest";
import { type PrunePolicy, resolvePrunePolicy } from "../../src/store/policies.ts";
import { prune } from "../../src/store/prune.ts";
import { blocksOf, contentOf, resultText, toolUsesOf } from "../../src/store/transcript.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { transcript } from "./build.ts";
import { ancestry, expectPaired, expectWholeChain } from "./invariants.ts";

const REFUSAL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
const run = (entries: readonly SessionStoreEntry[], policy: PrunePolicy = {}) =>
  prune(entries, { policy: resolvePrunePolicy(policy), turnInterrupted: "[cut]" });
const callIds = (entries: readonly SessionStoreEntry[]) => entries.flatMap(toolUsesOf).map((use) => use.id);
const at = (entries: readonly SessionStoreEntry[], index: number): SessionStoreEntry =>
  entries[index] ?? { type: "" };

describe("prune drops API errors", () => {
  test("several in a row go, and what follows hangs on what came before them", () => {
    const t = transcript();
    const prompt = t.prompt("go");
    t.apiError();
    t.apiError();
    const next = t.prompt("go on");
    t.add({ type: "last-prompt", leafUuid: "u2" });
    const { entries, report } = run(t.entries);
    expect(report.apiErrors).toBe(2);
    expect(ancestry(entries, next)).toEqual([next, prompt]);
    expect(entries.find((entry) => entry.type === "last-prompt")?.leafUuid).toBe(prompt);
  });

  test("an error at the root leaves a new root", () => {
    const t = transcript();
    t.apiError();
    const next = t.prompt("go");
    expect(run(t.entries).entries.find((entry) => entry.uuid === next)?.parentUuid).toBeNull();
  });

  test("the pointer of a compaction follows, and an entry that a compaction lists as kept stays", () => {
    const t = transcript();
    const prompt = t.prompt("go");
    const error = t.apiError();
    const kept = t.apiError();
    t.add({
      type: "system",
      subtype: "compact_boundary",
      parentUuid: null,
      logicalParentUuid: error,
      compactMetadata: { preservedMessages: { anchorUuid: prompt, uuids: [kept] } },
    });
    const { entries } = run(t.entries);
    expect(entries.find((entry) => entry.type === "system")?.logicalParentUuid).toBe(prompt);
    expect(entries.some((entry) => entry.uuid === kept)).toBe(true);
  });

  test("with dropApiErrors false they stay", () => {
    const t = transcript();
    t.apiError();
    expect(run(t.entries, { dropApiErrors: false }).entries).toBe(t.entries);
  });
});

describe("prune says of interrupts what they were", () => {
  function interrupted(text = REFUSAL) {
    const t = transcript();
    t.bash("a", "make");
    t.add({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: text, is_error: true }],
      },
      toolUseResult: "User rejected tool use",
      toolDenialKind: "user-rejected",
    });
    t.add({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "text", text: "[Request interrupted by user for tool use]" }],
      },
    });
    return t.entries;
  }

  test("the refusal, its copy and the remark are replaced, and the call does not count as denied", () => {
    const { entries, report } = run(interrupted(), { keepDenials: 0 });
    const neutral = resolvePrunePolicy().interruptText;
    expect(blocksOf(at(entries, 1)).map(resultText)).toEqual([neutral]);
    expect(at(entries, 1).toolUseResult).toBe(neutral);
    expect(contentOf(at(entries, 2))).toEqual([{ type: "text", text: "[cut]" }]);
    expect(report).toEqual({ apiErrors: 0, interrupts: 2, denials: 0 });
  });

  test("a remark as a plain string is replaced, a prompt that only quotes it is not", () => {
    const t = transcript();
    t.prompt("[Request interrupted by user]");
    t.prompt("what does [Request interrupted by user] mean?");
    const { entries } = run(t.entries);
    expect(entries.map(contentOf)).toEqual(["[cut]", "what does [Request interrupted by user] mean?"]);
  });

  test("words of a person stay to the letter, and the call with them", () => {
    const entries = interrupted(`${REFUSAL} To tell you how to proceed, the user said:\nuse pnpm`);
    expect(run(entries, { keepDenials: 0 }).entries.slice(0, 2)).toEqual(entries.slice(0, 2));
  });

  test("without neutralizing, an interrupt is still no denial", () => {
    const entries = interrupted();
    expect(run(entries, { neutralizeInterrupts: false, keepDenials: 0 }).entries).toBe(entries);
  });
});

describe("prune drops old denials", () => {
  function threeDenials() {
    const t = transcript();
    t.prompt("go");
    for (const id of ["a", "b", "c"]) t.denied(id);
    t.says("I shall delegate");
    return t.entries;
  }

  test.each([
    [0, []],
    [1, ["c"]],
    [2, ["b", "c"]],
    [9, ["a", "b", "c"]],
  ])("with keepDenials %i the newest so many stay, in pairs and in one chain", (keepDenials, left) => {
    const { entries, report } = run(threeDenials(), { keepDenials });
    expect(callIds(entries)).toEqual(left);
    expect(report.denials).toBe(3 - left.length);
    expectPaired(entries);
    expectWholeChain(entries);
    expect(ancestry(entries, "u7")).toHaveLength(entries.length);
  });

  test("neighbours in a shared message stay, on both sides", () => {
    const t = transcript();
    t.add({
      type: "assistant",
      message: {
        id: "m",
        content: [
          { type: "text", text: "both" },
          { type: "tool_use", id: "no", name: "Bash", input: { command: "make" } },
          { type: "tool_use", id: "yes", name: "Read", input: {} },
        ],
      },
    });
    t.add({
      type: "user",
      toolDenialKind: "permission-rule",
      toolUseResult: "Error: no",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "no", content: "no", is_error: true },
          { type: "tool_result", tool_use_id: "yes", content: "text" },
        ],
      },
    });
    const { entries } = run(t.entries, { keepDenials: 0 });
    expect(
      entries.map((entry) => blocksOf(entry).map((block) => block.id ?? block.tool_use_id ?? block.text)),
    ).toEqual([["both", "yes"], ["yes"]]);
    expect(at(entries, 1)).not.toHaveProperty("toolDenialKind");
    expect(at(entries, 1)).not.toHaveProperty("toolUseResult");
  });

  test("thoughts that led to nothing but a dropped call go with it", () => {
    const t = transcript();
    t.prompt("go");
    t.add({
      type: "assistant",
      message: { id: "m", content: [{ type: "thinking", thinking: "hm", signature: "s" }] },
    });
    t.add({
      type: "assistant",
      message: { id: "m", content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }] },
    });
    t.add({
      type: "user",
      toolDenialKind: "permission-rule",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: "no", is_error: true }],
      },
    });
    const end = t.says("end");
    const { entries } = run(t.entries, { keepDenials: 0 });
    expect(ancestry(entries, end)).toEqual([end, "u0"]);
    expect(entries).toHaveLength(2);
  });

  test("calls that were cut off or swept along, and failed ones, are no denials", () => {
    const t = transcript();
    for (const [id, kind] of [
      ["a", "interrupted"],
      ["b", "cancelled"],
      ["c", undefined],
    ] as const) {
      t.bash(id, "make");
      t.add({
        type: "user",
        ...(kind === undefined ? {} : { toolDenialKind: kind }),
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: "Exit code 1", is_error: true }],
        },
      });
    }
    expect(run(t.entries, { keepDenials: 0 }).entries).toBe(t.entries);
  });

  test("twice is once, and the input is not touched", () => {
    const entries = threeDenials();
    const before = structuredClone(entries);
    const once = run(entries);
    expect(run(once.entries).entries).toBe(once.entries);
    expect(entries).toEqual(before);
  });
});
