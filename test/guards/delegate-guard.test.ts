import { describe, expect, test } from "vitest";
import { delegateDecision, delegateGuard } from "../../src/guards/delegate-guard.ts";
import { DENIED_TOOLS } from "../../src/guards/tools.ts";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import { beforeCall, brokenInput, call, denial, run, subagentCall } from "./calls.ts";

const PASS = { kind: "pass" };
const DENY = expect.objectContaining({ kind: "deny" });

describe("the decision", () => {
  test.each(DENIED_TOOLS)("the main thread does not get %s, and is told that this is meant", (tool) => {
    expect(delegateDecision(call(tool, { command: "git status" }))).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/This is deliberate/),
    });
    expect(delegateDecision(call(tool), { lang: "zh" })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/这是有意的安排/),
    });
  });

  test.each(["Agent", "SendMessage", "TaskCreate", "TaskStop", "Read", "WebFetch", "mcp__human__ask"])(
    "the main thread keeps %s",
    (tool) => {
      expect(delegateDecision(call(tool))).toEqual(PASS);
    },
  );

  test.each(DENIED_TOOLS)("a subagent may use %s as far as this wall is concerned", (tool) => {
    expect(delegateDecision(subagentCall(tool, { command: "rm -rf build" }))).toEqual(PASS);
  });

  test("a refusal names the way out: the Agent tool and where long output goes", () => {
    expect(delegateDecision(call("Write"), { artifactsPath: ".flower/artifacts", lang: "en" })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/Write is not yours.*Agent tool.*into \.flower\/artifacts\/ and reply/),
    });
    expect(delegateDecision(call("Write"), { lang: "zh" })).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/Agent 工具派一个 subagent.*写进文件,回复里只给路径和结论/),
    });
  });

  test("each kind of tool has its own way out", () => {
    const reasonFor = (tool: string): unknown => delegateDecision(call(tool), { lang: "en" });
    expect(reasonFor("EnterWorktree")).toMatchObject({
      reason: expect.stringContaining("stays in its workspace"),
    });
    expect(reasonFor("ScheduleWakeup")).toMatchObject({
      reason: expect.stringContaining("flower itself waits"),
    });
    expect(reasonFor("Workflow")).toMatchObject({
      reason: expect.stringContaining("with the Agent tool only"),
    });
    expect(reasonFor("Artifact")).toMatchObject({ reason: expect.stringContaining("leaves this machine") });
    expect(reasonFor("EnterPlanMode")).toMatchObject({ reason: expect.stringContaining("flower decides") });
  });

  test.each(["git status", "ls -la | head -5", "npm test", "echo hi > file", "git push --force", ""])(
    "with a glance allowed, %j passes exactly when its result goes stale",
    (command) => {
      const expected = isEphemeral(command) ? PASS : DENY;
      expect(delegateDecision(call("Bash", { command }), { allowGlance: true })).toEqual(expected);
    },
  );

  test("a glance passes, work does not, and without the permission neither does", () => {
    const glance = call("Bash", { command: "git status" });
    expect(delegateDecision(glance, { allowGlance: true })).toEqual(PASS);
    expect(delegateDecision(glance, { allowGlance: false })).toEqual(DENY);
    expect(
      delegateDecision(call("Bash", { command: "npm test" }), { allowGlance: true, lang: "en" }),
    ).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/Commands that only look/),
    });
    expect(delegateDecision(call("Monitor", { command: "git status" }), { allowGlance: true })).toEqual(DENY);
    expect(delegateDecision(call("Bash", { command: ["ls"] }), { allowGlance: true })).toEqual(DENY);
  });

  test("the caller may name the tools, by former names and rules too", () => {
    expect(delegateDecision(call("Write"), { tools: ["Bash"] })).toEqual(PASS);
    expect(delegateDecision(call("WebFetch"), { tools: ["WebFetch"] })).toEqual(DENY);
  });
});

describe("the hook", () => {
  test("matches the tools it denies and blocks when its answer is lost", async () => {
    const guard = delegateGuard({ lang: "en" });
    expect(guard.matcher).toBe(DENIED_TOOLS.join("|"));
    expect(guard.onFailure).toBe("block");
    expect(denial(await run(guard, beforeCall("Bash", { command: "ls" })))).toMatch(/^You coordinate; Bash/);
    expect(await run(guard, beforeCall("Bash", { command: "ls" }, { agent_id: "a1" }))).toEqual({});
    expect(await run(delegateGuard({ allowGlance: true }), beforeCall("Bash", { command: "ls" }))).toEqual(
      {},
    );
  });

  test("a former name in the list stands for the present one", async () => {
    const guard = delegateGuard({ tools: ["Task"] });
    expect(guard.matcher).toBe("Agent");
    expect(denial(await run(guard, beforeCall("Agent", {})))).toBeDefined();
  });

  test.each(["mcp__.*", "Bash|Write", ""])("a list with %j in it is refused at once", (tool) => {
    expect(() => delegateGuard({ tools: ["Bash", tool] })).toThrow(
      expect.objectContaining({ code: "guards/bad-tool-name" }),
    );
  });

  test("a failure inside is a denial", async () => {
    const errors: unknown[] = [];
    const guard = delegateGuard({ lang: "zh", onError: (thrown) => errors.push(thrown) });
    expect(denial(await run(guard, brokenInput()))).toMatch(/调用前的检查自己出了错/);
    expect(errors).toHaveLength(1);
  });
});
