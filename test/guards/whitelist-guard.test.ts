import { describe, expect, test } from "vitest";
import { HANDS_ON_TOOLS } from "../../src/guards/tools.ts";
import { bannedTools, whitelistDecision, whitelistGuard } from "../../src/guards/whitelist-guard.ts";
import { beforeCall, brokenInput, call, denial, run, subagentCall } from "./calls.ts";

const READ_ONLY = ["Read", "Glob", "Grep"];

describe("what a role does not get", () => {
  test.each([
    ["a read-only role", READ_ONLY, ["Bash", "Write", "Edit", "NotebookEdit", "Monitor", "Workflow"], []],
    ["a judge that may run", [...READ_ONLY, "Bash"], ["Write", "Edit", "NotebookEdit", "Monitor"], ["Bash"]],
    ["a rule names its tool", ["Bash(git *)"], ["Write", "Edit"], ["Bash"]],
    ["a listed extra", ["Skill"], ["Bash", "Monitor"], ["Skill"]],
    ["no list at all", [], ["Bash", "Write", "Edit", "NotebookEdit", "CronCreate"], ["Read", "Agent"]],
  ])("%s", (_name, allowed, banned, free) => {
    const found = bannedTools(allowed);
    expect(found).toEqual(expect.arrayContaining(banned));
    for (const tool of free) expect(found).not.toContain(tool);
  });

  test("a role with all four hands-on tools is not restricted at all", () => {
    expect(bannedTools(HANDS_ON_TOOLS)).toEqual([]);
    expect(whitelistGuard([...HANDS_ON_TOOLS, "Read"], { role: "coder", lang: "en" })).toBeUndefined();
  });
});

describe("the decision", () => {
  const banned = bannedTools(READ_ONLY);

  test("denies to the main thread, in the words of the language, naming role and tool", () => {
    expect(whitelistDecision(call("Write"), banned, { role: "judge", lang: "en" })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/^judge does not have Write\. This is deliberate.*text of your reply/),
    });
    expect(whitelistDecision(call("Bash"), banned, { role: "判定者", lang: "zh" })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/^判定者没有 Bash。这是有意的安排.*回复正文/),
    });
  });

  test("lets subagents and everything else pass", () => {
    expect(whitelistDecision(subagentCall("Write"), banned)).toEqual({ kind: "pass" });
    expect(whitelistDecision(call("Read"), banned)).toEqual({ kind: "pass" });
    expect(whitelistDecision(call("mcp__human__ask"), banned)).toEqual({ kind: "pass" });
  });
});

describe("the hook", () => {
  test("matches what is banned and blocks when its answer is lost", async () => {
    const guard = whitelistGuard(["Read", "Bash"], { role: "judge", lang: "en" });
    expect(guard?.matcher?.split("|")).toEqual([...bannedTools(["Read", "Bash"])]);
    expect(guard?.onFailure).toBe("block");
    expect(denial(await run(guard, beforeCall("Edit", { file_path: "/x" })))).toMatch(
      /^judge does not have Edit/,
    );
    expect(await run(guard, beforeCall("Edit", {}, { agent_id: "a1", agent_type: "coder" }))).toEqual({});
  });

  test("an agent type without an agent id is still the main thread", async () => {
    const guard = whitelistGuard([], {});
    expect(denial(await run(guard, beforeCall("Write", {}, { agent_type: "lead" })))).toMatch(
      /^This role does not/,
    );
  });

  test("a failure inside is a denial and is reported", async () => {
    const errors: unknown[] = [];
    const guard = whitelistGuard([], { lang: "en", onError: (thrown) => errors.push(thrown) });
    expect(denial(await run(guard, brokenInput()))).toMatch(/refused because the check before it failed/);
    expect(denial(await run(guard, { hook_event_name: "PreToolUse" }))).toMatch(/^This tool was refused/);
    expect(errors).toEqual([
      expect.objectContaining({ message: "boom" }),
      expect.objectContaining({ code: "guards/malformed-input" }),
    ]);
  });

  test("a reporter that throws does not open the wall", async () => {
    const guard = whitelistGuard([], {
      onError: () => {
        throw new Error("reporter");
      },
    });
    expect(denial(await run(guard, brokenInput()))).toBeDefined();
  });
});
