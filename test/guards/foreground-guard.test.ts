import { describe, expect, test } from "vitest";
import { foregroundGuard } from "../../src/guards/foreground-guard.ts";
import { isolated } from "../../src/guards/isolation.ts";
import { workbenchHooks } from "../../src/guards/workbench-hooks.ts";
import { beforeCall, denial, run } from "./calls.ts";

const coder = { description: "d", prompt: "p" };
const agents = { coder: isolated(coder), plain: coder };
const call = (role: string, rest: Record<string, unknown> = {}) =>
  beforeCall("Agent", { description: "d", prompt: "p", subagent_type: role, ...rest });
const inputOf = async (input: Parameters<typeof run>[1]): Promise<unknown> => {
  const { hookSpecificOutput } = await run(foregroundGuard(agents), input);
  return hookSpecificOutput?.hookEventName === "PreToolUse" ? hookSpecificOutput.updatedInput : undefined;
};

describe("a call of a subagent", () => {
  test("waits for the report, whatever the model asked for", async () => {
    const expected = { description: "d", prompt: "p", subagent_type: "plain", run_in_background: false };
    expect(await inputOf(call("plain"))).toEqual(expected);
    expect(await inputOf(call("plain", { run_in_background: true }))).toEqual(expected);
  });

  test("gets its worktree in the same answer, and its role is told", async () => {
    const roles: string[] = [];
    const guard = foregroundGuard(agents, { onInject: (role) => roles.push(role) });
    const answer = await run(guard, call("coder"));
    expect(answer.hookSpecificOutput).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { isolation: "worktree", run_in_background: false },
    });
    await run(guard, call("plain"));
    expect(roles).toEqual(["coder"]);
  });

  test("is changed by one hook only", () => {
    const hooks = workbenchHooks(undefined, { delegateOnly: false, agents, foreground: true });
    expect(hooks.PreToolUse?.map(({ matcher }) => matcher)).toEqual(["Agent|Bash"]);
  });
});

describe("a command in the background", () => {
  const background = { command: "npm start", run_in_background: true };

  test("is denied to the main thread, with the way out, in both languages", async () => {
    const refused = denial(await run(foregroundGuard(agents), beforeCall("Bash", background)));
    expect(refused).toContain("nohup");
    const zh = foregroundGuard(agents, { lang: "zh" });
    expect(denial(await run(zh, beforeCall("Bash", background)))).toContain("前台");
  });

  test("is a worker's own affair, and one in the foreground anybody's", async () => {
    const guard = foregroundGuard(agents);
    expect(await run(guard, { ...beforeCall("Bash", background), agent_id: "a1" })).toEqual({});
    expect(await run(guard, beforeCall("Bash", { command: "npm test" }))).toEqual({});
  });
});
