import { describe, expect, test } from "vitest";
import { expire } from "../../src/store/expire.ts";
import { resolveEphemeralPolicy } from "../../src/store/policies.ts";
import { blocksOf, resultText } from "../../src/store/transcript.ts";
import { transcript } from "./build.ts";

const policy = resolveEphemeralPolicy({ keepRecent: 1 });
const textAt = (entries: readonly { type: string }[], index: number): string =>
  blocksOf(entries[index] ?? { type: "" })
    .map(resultText)
    .join();

/** One glance, then `rounds` answers of the model with a call each. */
function glanceThen(rounds: number, glance = "git status", content: unknown = "on branch main") {
  const t = transcript();
  t.bash("g", glance);
  t.answers("g", content, {
    toolUseResult: { stdout: "on branch main", stderr: "warning", interrupted: false },
  });
  for (let n = 0; n < rounds; n += 1) {
    t.calls(`r${n}`, "Read", { file_path: "a" });
    t.answers(`r${n}`, "text");
  }
  return t.entries;
}

describe("expire", () => {
  test("an old glance says that it expired, how long ago, and which command it was", () => {
    const { entries, report } = expire(glanceThen(4), policy);
    expect(textAt(entries, 1)).toBe(
      "[The result of git status has expired (4 rounds ago); things may have changed since. Run it again if you need it]",
    );
    expect(report).toEqual({ expired: 1 });
  });

  test("in Chinese the line is the original's", () => {
    const { entries } = expire(glanceThen(3), resolveEphemeralPolicy({ keepRecent: 1 }, "zh"));
    expect(textAt(entries, 1)).toBe("[git status 的结果已过期(第 3 轮前),当前状态可能已变。需要请重新执行]");
  });

  test("the tool's own copy of the output follows", () => {
    const { entries } = expire(glanceThen(2), policy);
    expect(entries[1]?.toolUseResult).toEqual({ stdout: textAt(entries, 1), stderr: "", interrupted: false });
  });

  test("the newest results stay, counted over all tools", () => {
    const entries = glanceThen(2);
    expect(expire(entries, resolveEphemeralPolicy({ keepRecent: 3 })).entries).toBe(entries);
    expect(expire(entries, resolveEphemeralPolicy({ keepRecent: 2 })).report.expired).toBe(1);
  });

  test.each([
    ["a command that changes something", glanceThen(3, "make build")],
    ["a long result, which is for trimming", glanceThen(3, "git log", "x".repeat(2001))],
    ["an empty result", glanceThen(3, "git status", "")],
  ])("%s does not expire", (_, entries) => {
    expect(expire(entries, policy).entries).toBe(entries);
  });

  test("a Read, a background call, a denied call and the harness's own remark do not expire", () => {
    const t = transcript();
    t.calls("a", "Read", { file_path: "x" });
    t.answers("a", "text");
    t.calls("b", "Bash", { command: "git status", run_in_background: true });
    t.answers("b", "started as task 1");
    t.denied("c", "git status");
    t.bash("d", "git status");
    t.answers("d", "clean", { isMeta: true });
    t.bash("e", "ls");
    t.answers("e", "now");
    expect(expire(t.entries, policy).entries).toBe(t.entries);
  });

  test("rounds are messages of the model, not entries: blocks of one message are one round", () => {
    const t = transcript();
    t.bash("g", "ls");
    t.answers("g", "a b");
    for (const id of ["p", "q"]) {
      t.add({
        type: "assistant",
        message: { id: "one", content: [{ type: "tool_use", id, name: "Read", input: {} }] },
      });
    }
    for (const id of ["p", "q"]) t.answers(id, "text");
    expect(textAt(expire(t.entries, policy).entries, 1)).toContain("(1 rounds ago)");
  });

  test("a picture beside the words stays", () => {
    const image = { type: "image", source: { type: "base64", data: "AAAA" } };
    const { entries } = expire(glanceThen(2, "ls", [{ type: "text", text: "a" }, image]), policy);
    const [block] = blocksOf(entries[1] ?? { type: "" });
    expect(block?.content).toEqual([{ type: "text", text: expect.stringContaining("expired") }, image]);
  });

  test("a long command is quoted on one line and cut, and its dollar signs stay", () => {
    const { entries } = expire(glanceThen(2, `grep '$& $1' a \\\n  ${"b ".repeat(200)}`), policy);
    const text = textAt(entries, 1);
    expect(text).toContain("grep '$& $1' a");
    expect(text).toContain("…");
    expect(text).not.toContain("\n");
  });

  test("twice is once, and the input is not touched", () => {
    const entries = glanceThen(4);
    const before = structuredClone(entries);
    const once = expire(entries, policy);
    expect(expire(once.entries, policy).entries).toBe(once.entries);
    expect(entries).toEqual(before);
    expect(once.entries[0]).toBe(entries[0]);
  });
});
