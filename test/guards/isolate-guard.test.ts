import type { AgentDefinition } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import { isolateDecision, isolateGuard } from "../../src/guards/isolate-guard.ts";
import { isolated, wantsIsolation } from "../../src/guards/isolation.ts";
import { beforeCall, call, denial, run } from "./calls.ts";

const plain: AgentDefinition = { description: "writes code", prompt: "write code", tools: ["Write"] };
const agents = { coder: isolated(plain), reader: plain };

describe("the mark", () => {
  test("is set on a copy and read back", () => {
    const marked = isolated(plain);
    expect(wantsIsolation(marked)).toBe(true);
    expect(wantsIsolation(plain)).toBe(false);
    expect(wantsIsolation(undefined)).toBe(false);
    expect(wantsIsolation(isolated(marked, false))).toBe(false);
    expect(wantsIsolation(marked)).toBe(true);
  });

  test("survives object spread and Object.assign", () => {
    expect(wantsIsolation({ ...isolated(plain), prompt: "other" })).toBe(true);
    expect(wantsIsolation(Object.assign({}, isolated(plain)))).toBe(true);
  });

  test("never reaches the CLI: neither JSON nor a structured clone has it", () => {
    const marked = isolated(plain);
    expect(JSON.stringify(marked)).toBe(JSON.stringify(plain));
    expect(Object.keys(marked)).toEqual(Object.keys(plain));
    expect(Reflect.ownKeys(structuredClone(marked))).toEqual(Object.keys(plain));
  });
});

describe("the decision", () => {
  const task = { description: "d", prompt: "p", subagent_type: "coder" };

  test("adds a worktree for a marked role and keeps the rest of the call", () => {
    const rewrite = { kind: "rewrite", input: { ...task, isolation: "worktree" } };
    expect(isolateDecision(call("Agent", task), agents)).toEqual(rewrite);
    expect(isolateDecision(call("Task", task), agents)).toEqual(rewrite);
    expect(isolateDecision(call("Agent", { ...task, isolation: "", cwd: null }), agents)).toEqual({
      kind: "rewrite",
      input: { ...task, isolation: "worktree", cwd: null },
    });
  });

  test.each([
    ["a role without the mark", "Agent", { ...task, subagent_type: "reader" }],
    ["an unknown role", "Agent", { ...task, subagent_type: "general-purpose" }],
    ["a role named like something every object has", "Agent", { ...task, subagent_type: "constructor" }],
    ["no role", "Agent", { prompt: "p" }],
    ["a call that says where to work", "Agent", { ...task, cwd: "/elsewhere" }],
    ["a call that says how to isolate", "Agent", { ...task, isolation: "remote" }],
    ["another tool", "Bash", task],
  ])("leaves alone: %s", (_name, tool, input) => {
    expect(isolateDecision(call(tool, input), agents)).toEqual({ kind: "pass" });
  });
});

describe("the hook", () => {
  const task = { prompt: "p", subagent_type: "coder" };

  test("allows the call with the worktree added, and tells who got one", async () => {
    const told: string[] = [];
    const guard = isolateGuard(agents, { onInject: (role) => told.push(role) });
    expect(guard.matcher).toBe("Agent");
    expect(await run(guard, beforeCall("Agent", task))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { ...task, isolation: "worktree" },
      },
    });
    expect(await run(guard, beforeCall("Agent", { prompt: "p", subagent_type: "reader" }))).toEqual({});
    expect(told).toEqual(["coder"]);
  });

  test("a listener that throws is reported and changes nothing", async () => {
    const errors: unknown[] = [];
    const guard = isolateGuard(agents, {
      onInject: () => {
        throw new Error("listener");
      },
      onError: (thrown) => errors.push(thrown),
    });
    expect(await run(guard, beforeCall("Agent", task))).toMatchObject({
      hookSpecificOutput: { updatedInput: { isolation: "worktree" } },
    });
    expect(errors).toEqual([expect.objectContaining({ message: "listener" })]);
  });

  test("a failure inside is a denial: an unisolated worker in the shared checkout is worse than none", async () => {
    const broken = new Proxy(agents, {
      getOwnPropertyDescriptor: () => {
        throw new Error("boom");
      },
    });
    expect(denial(await run(isolateGuard(broken), beforeCall("Agent", task)))).toMatch(/^Agent was refused/);
  });
});
