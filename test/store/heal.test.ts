import { describe, expect, test } from "vitest";
import { heal, isStandIn } from "../../src/store/heal.ts";
import { reviveAgents } from "../../src/store/revive.ts";
import { blocksOf, uuidOf } from "../../src/store/transcript.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { transcript } from "./build.ts";
import { ancestry, expectPaired, expectWholeChain } from "./invariants.ts";

const run = (entries: readonly SessionStoreEntry[]) => heal(entries, { noResult: "none recorded" });

describe("heal", () => {
  test("an unanswered call in mid-history gets a result below it, and its children move below that", () => {
    const t = transcript();
    t.prompt("go");
    const call = t.bash("a", "make");
    const next = t.prompt("go on");
    t.add({ type: "last-prompt", leafUuid: call });
    const { entries, report } = run(t.entries);
    const result = entries[2];
    expect(result).toMatchObject({
      type: "user",
      parentUuid: call,
      sessionId: "s",
      isSidechain: false,
      timestamp: t.entries[1]?.timestamp,
      sourceToolAssistantUUID: call,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: "none recorded", is_error: true }],
      },
    });
    expect(result?.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    expect(ancestry(entries, next)).toEqual([next, result?.uuid, call, "u0"]);
    expect(entries.at(-1)?.leafUuid).toBe(result?.uuid);
    expect(report).toEqual({ healed: 1, bridged: 0 });
  });

  test("several unanswered calls of one entry are answered in one, the answered one is left alone", () => {
    const t = transcript();
    const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
    t.add({ type: "assistant", message: { id: "m", content: [use("a"), use("b"), use("c")] } });
    t.answers("b", "done");
    const { entries } = run(t.entries);
    expect(entries.map((entry) => blocksOf(entry).map((block) => block.tool_use_id ?? block.id))).toEqual([
      ["a", "b", "c"],
      ["a", "c"],
      ["b"],
    ]);
    expectPaired(entries);
    expectWholeChain(entries);
  });

  test("what the CLI appended below a healed call finds its parent at the next load", () => {
    const t = transcript();
    t.bash("a", "make");
    const leaf = run(t.entries).entries.at(-1)?.uuid ?? "";
    t.add({ type: "user", parentUuid: leaf, message: { role: "user", content: "go on" } });
    const { entries, report } = run(t.entries);
    expectWholeChain(entries);
    expect(report).toEqual({ healed: 1, bridged: 0 });
  });

  test("when the true result was imported later, what hung on the stand-in is not cut off", () => {
    const t = transcript();
    const call = t.bash("a", "make");
    const leaf = run(t.entries).entries.at(-1)?.uuid ?? "";
    const next = t.add({ type: "user", parentUuid: leaf, message: { role: "user", content: "go on" } });
    t.answers("a", "done", { parentUuid: call });
    const { entries, report } = run(t.entries);
    expect(ancestry(entries, next)).toEqual([next, call]);
    expect(report).toEqual({ healed: 0, bridged: 1 });
  });

  test("a hole that a lost batch left is bridged within the thread, a lost first parent becomes none", () => {
    const t = transcript();
    const first = t.add({ type: "user", parentUuid: "gone", message: { role: "user", content: "a" } });
    t.add({ type: "user", isSidechain: true, parentUuid: null, message: { role: "user", content: "side" } });
    const after = t.add({ type: "user", parentUuid: "lost", message: { role: "user", content: "b" } });
    const { entries, report } = run(t.entries);
    expect(ancestry(entries, after)).toEqual([after, first]);
    expect(entries[0]?.parentUuid).toBeNull();
    expect(report).toEqual({ healed: 0, bridged: 2 });
  });

  test("a whole history is the same array, healing twice is healing once, and stand-ins are known as such", () => {
    const t = transcript();
    t.bash("a", "make");
    t.answers("a", "done");
    expect(run(t.entries).entries).toBe(t.entries);
    t.bash("b", "make");
    const once = run(t.entries).entries;
    expect(run(once).entries).toBe(once);
    expect(once.filter(isStandIn).map(uuidOf)).toEqual([once.at(-1)?.uuid]);
  });
});

describe("reviveAgents", () => {
  test("takes the stop off every metadata row and leaves the rest of it", () => {
    const entries = [
      { type: "agent_metadata", agentType: "coder", stoppedByUser: true },
      { type: "agent_metadata", agentType: "coder", finished: true },
      { type: "user", stoppedByUser: true },
    ];
    const { entries: after, report } = reviveAgents(entries);
    expect(after).toEqual([{ type: "agent_metadata", agentType: "coder" }, entries[1], entries[2]]);
    expect(report).toEqual({ revived: 1 });
    expect(reviveAgents(after).entries).toBe(after);
  });
});
