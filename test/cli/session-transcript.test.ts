import { describe, expect, test } from "vitest";
import { columns } from "../../src/base/text.ts";
import { type TranscriptLook, transcriptLines } from "../../src/cli/commands/sessions/transcript-lines.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { transcript } from "../store/build.ts";

const look: TranscriptLook = { lang: "en", verbose: false, width: 80, colors: false };

const stored = (entries: readonly SessionStoreEntry[], subpath?: string) => ({
  subpath,
  payloads: entries.map((entry) => JSON.stringify(entry)),
});

function story() {
  const main = transcript();
  main.prompt("please");
  main.calls("t1", "Agent", { description: "look", prompt: "p" });
  main.answers("t1", "the report", { toolUseResult: { agentId: "a1" } });
  main.says("done");
  const agent = transcript();
  agent.prompt("p");
  agent.bash("t2", "npm test");
  agent.answers("t2", [{ type: "text", text: `line one\n${"x".repeat(300)}` }]);
  return { main, agent };
}

test("says who said what, with a subagent below the call that started it", () => {
  const { main, agent } = story();
  const lines = transcriptLines([stored(main.entries), stored(agent.entries, "subagents/agent-a1")], look);
  expect(lines).toEqual([
    "? u0 please",
    "> u1 Agent look",
    "| # subagent a1",
    "| ? p",
    "| > Bash npm test",
    `| . line one ${"x".repeat(66)}…`,
    ". the report",
    "* u3 done",
  ]);
});

test("a subagent is known by its metadata too, also inside another; one of no call comes at the end", () => {
  const { main, agent } = story();
  const metadata = { type: "agent_metadata", agentType: "coder", toolUseId: "t2" };
  const lines = transcriptLines(
    [
      stored(main.entries),
      stored(agent.entries, "subagents/agent-a1"),
      stored([metadata, ...transcriptOf("inner")], "subagents/agent-a2"),
      stored(transcriptOf("lost"), "subagents/agent-a3"),
    ],
    { ...look, lang: "zh" },
  );
  expect(lines).toContain("| | # subagent coder a2");
  expect(lines[lines.indexOf("| | # subagent coder a2") + 1]).toBe("| | ? inner");
  expect(lines.slice(-2)).toEqual(["| # subagent a3", "| ? lost"]);
});

function transcriptOf(text: string): readonly SessionStoreEntry[] {
  const talk = transcript();
  talk.prompt(text);
  return talk.entries;
}

describe("at any width", () => {
  test.each([40, 80, 200])("of %i columns no line is wider or acts on the terminal", (width) => {
    const talk = transcript();
    const nasty = "红\u001b[31m色\u001b]0;t\u0007\u009b2J\u202e字 and words ".repeat(40);
    talk.prompt(nasty);
    talk.says(nasty);
    talk.bash("t", nasty);
    talk.answers("t", nasty, {});
    const lines = transcriptLines([stored(talk.entries)], { ...look, width });
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(columns(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});

test("tells where somebody went back, but not the results of calls that ran together", () => {
  const talk = transcript();
  talk.prompt("one");
  talk.bash("t1", "a");
  talk.bash("t2", "b");
  talk.add({ ...resultOf("t1"), parentUuid: "u1" });
  talk.add({ ...resultOf("t2"), parentUuid: "u2" });
  talk.add({ type: "user", parentUuid: "u0", message: { content: "again" } });
  expect(transcriptLines([stored(talk.entries)], look)).toEqual([
    "? u0 one",
    "> u1 Bash a",
    "> u2 Bash b",
    ". of t1",
    ". of t2",
    ". goes back to u0 and on from there",
    "? u5 again",
  ]);
});

function resultOf(id: string): SessionStoreEntry {
  return {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }] },
  };
}

test("thinking and the harness's own remarks are for -v; failures and errors are for everybody", () => {
  const talk = transcript();
  talk.add({ type: "user", isMeta: true, message: { content: "remark" } });
  talk.add({ type: "assistant", message: { content: [{ type: "thinking", thinking: "hm" }] } });
  talk.bash("t", "false");
  talk.add({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "exit 1" }] },
  });
  talk.apiError();
  talk.add({ type: "user", message: { content: [{ type: "image", source: {} }] } });
  const rows = [{ ...stored(talk.entries), payloads: [...stored(talk.entries).payloads, "broken"] }];
  const quiet = transcriptLines(rows, look);
  expect(quiet[0]).toBe("> u2 Bash false");
  expect(quiet[1]).toBe("x exit 1");
  expect(quiet[2]).toMatch(/^! u4 /);
  expect(quiet.slice(3)).toEqual([". u5 [image]", "! 1 row could not be read; --raw shows them"]);
  expect(transcriptLines(rows, { ...look, verbose: true }).slice(0, 2)).toEqual([". u0 remark", "~ u1 hm"]);
});
