import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemorySessionStore } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { projectKey } from "../../src/agent/project-key.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import {
  isMain,
  isSubagent,
  overloaded,
  reply,
  route,
  type Scenario,
  type ScriptedModel,
  startScriptedModel,
  toolCall,
} from "../../src/testing/index.ts";
import { type CliWorld, makeWorld } from "../support/cli-world.ts";
import { MODEL, runAgent } from "../support/run-agent.ts";

/** One test for each trap of HARNESS 11 that the agent layer takes care of, against the real CLI. */

let world: CliWorld;
let model: ScriptedModel | undefined;

async function play(scenario: Scenario): Promise<ScriptedModel> {
  model = await startScriptedModel(scenario);
  return model;
}

beforeEach(() => {
  world = makeWorld();
});

afterEach(async () => {
  await model?.close();
  model = undefined;
  await world.cleanup();
});

const coder = { description: "works", prompt: "You are the coder.", tools: ["Bash", "Write"] };

describe("the session store", () => {
  test("gets every row, although the CLI has a config directory of its own", async () => {
    const store = new InMemorySessionStore();
    const { outcome } = await runAgent(world, await play([reply("hello")]), {
      build: { sessionStore: store },
    });
    const key = { projectKey: projectKey(world.workspace), sessionId: outcome.sessionId ?? "" };
    const rows = await store.load(key);
    expect(rows?.filter(({ type }) => type === "assistant")).toHaveLength(1);
    expect(existsSync(join(world.home, ".claude"))).toBe(false);
  });

  test("files a directory with a long, non-ASCII path under the key that we compute", async () => {
    const store = new InMemorySessionStore();
    const long = join(world.workspace, "目录".repeat(30), "x".repeat(120));
    execFileSync("mkdir", ["-p", long]);
    const { outcome } = await runAgent(world, await play([reply("hello")]), {
      build: { sessionStore: store, cwd: long },
    });
    expect(
      await store.load({ projectKey: projectKey(long), sessionId: outcome.sessionId ?? "" }),
    ).not.toBeNull();
  });
});

describe("an API failure", () => {
  test("is a failure, although the CLI calls the result a success", async () => {
    const { outcome, messages } = await runAgent(world, await play([overloaded(), overloaded()]));
    const result = messages.find((message) => message.type === "result");
    expect(result).toMatchObject({ subtype: "success", is_error: true });
    expect(outcome).toMatchObject({ ok: false, text: "" });
    expect(outcome.error).toContain("529");
    expect(outcome.errors).toHaveLength(1);
  });

  test("at the turn limit is a value, although the iterator throws after the result", async () => {
    const scenario = await play([
      toolCall("Bash", { command: "true" }),
      toolCall("Bash", { command: "true" }),
    ]);
    const { outcome } = await runAgent(world, scenario, { spec: { maxTurns: 1, allowedTools: ["Bash"] } });
    expect(outcome.ok).toBe(false);
    expect(outcome.error).toContain("maximum number of turns");
    expect(outcome.sessionId).not.toBeNull();
  });

  test("before the first message is told with what stands on stderr", async () => {
    const { outcome } = await runAgent(world, await play([]), {
      spec: { permissionMode: "bypassPermissions" },
    });
    expect(outcome.ok).toBe(false);
    expect(outcome.error).toMatch(/exited with code 1.*root|exited with code 1/s);
  });
});

test("background subagents give several results, and the last one is waited for", async () => {
  const scenario = route([
    {
      name: "worker",
      when: isSubagent,
      steps: [toolCall("Bash", { command: "sleep 0.5; echo done" }), reply("report")],
    },
    {
      name: "main",
      when: isMain,
      steps: [
        toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder", run_in_background: true }),
        reply("waiting"),
        reply("all done"),
      ],
    },
  ]);
  const { outcome, messages } = await runAgent(world, await play(scenario), {
    spec: { allowedTools: ["Agent"], agents: { coder }, env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "" } },
  });
  expect(messages.filter(({ type }) => type === "result")).toHaveLength(2);
  expect(outcome.text).toBe("waiting\n\nall done");
  model?.assertComplete();
});

test("a subagent may write a report, unless its name begins like one", async () => {
  const write = (name: string) => toolCall("Write", { file_path: join(world.workspace, name), content: "x" });
  const names = ["report.md", "Summary-1.md", "till-report.md", "report.txt"];
  const scenario = route([
    { name: "worker", when: isSubagent, steps: [...names.map(write), reply("done")] },
    {
      name: "main",
      when: isMain,
      steps: [toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" }), reply("done")],
    },
  ]);
  const spec = { allowedTools: ["Agent"], agents: { coder }, permissionMode: "acceptEdits" } as const;
  await runAgent(world, await play(scenario), { spec });
  expect(names.map((name) => existsSync(join(world.workspace, name)))).toEqual([false, false, true, true]);
});

test("the CLI offers exactly the tools that the spec and its workers name", async () => {
  const scenario = await play([reply("hello")]);
  await runAgent(world, scenario, {
    spec: { allowedTools: ["Agent", "Read", "Bash(git *)"], agents: { coder }, disallowedTools: ["Bash"] },
  });
  expect([...(scenario.calls[0]?.request?.tools ?? [])].sort()).toEqual(["Agent", "Read", "Write"]);
});

test("the human's tools are in the first request, not behind a search", async () => {
  const channel = new HumanChannel({ timeoutMs: 0 });
  const scenario = await play([toolCall(channel.toolName, { question: "Which?" }), reply("hello")]);
  const { outcome } = await runAgent(world, scenario, {
    spec: { allowedTools: [channel.toolName, "ToolSearch"], mcpServers: () => channel.mcpServers() },
  });
  expect(scenario.calls[0]?.request?.tools).toEqual(
    expect.arrayContaining([channel.toolName, channel.inboxName]),
  );
  expect(outcome.ok).toBe(true);
  expect(channel.asks.map(({ state }) => state)).toEqual(["timeout"]);
});

test("a changed prelude reaches a resumed session", async () => {
  const store = new InMemorySessionStore();
  const scenario = await play([reply("one"), reply("two")]);
  const first = await runAgent(world, scenario, { build: { sessionStore: store, prelude: "INDEX-OLD" } });
  const resume = first.outcome.sessionId ?? "";
  await runAgent(world, scenario, { build: { sessionStore: store, prelude: "INDEX-NEW", resume } });
  const systems = scenario.calls.map(({ request }) => request?.system ?? "");
  expect(systems[0]).toContain("INDEX-OLD");
  expect(systems[1]).toContain("INDEX-NEW");
  expect(systems[1]).not.toContain("INDEX-OLD");
});

test("a worktree starts from what the workspace has, not from the remote", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: world.workspace,
      stdio: "pipe",
    });
  git("init", "--quiet", "--bare", join(world.dir, "remote.git"));
  git("init", "--quiet", "--initial-branch=main");
  git("remote", "add", "origin", join(world.dir, "remote.git"));
  git("commit", "--quiet", "--allow-empty", "-m", "pushed");
  git("push", "--quiet", "-u", "origin", "main");
  writeFileSync(join(world.workspace, "unpushed.txt"), "here");
  git("add", "unpushed.txt");
  git("commit", "--quiet", "-m", "unpushed");
  const scenario = route([
    { name: "worker", when: isSubagent, steps: [toolCall("Bash", { command: "pwd; ls" }), reply("seen")] },
    {
      name: "main",
      when: isMain,
      steps: [
        toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder", isolation: "worktree" }),
        reply("done"),
      ],
    },
  ]);
  await runAgent(world, await play(scenario), { spec: { allowedTools: ["Agent"], agents: { coder } } });
  const seen = model?.calls
    .flatMap(({ request }) => request?.toolResults ?? [])
    .find(({ tool }) => tool === "Bash");
  expect(seen?.text).toContain("worktrees/agent-");
  expect(seen?.text).toContain("unpushed.txt");
});

test("near the window our handoff decides, not the CLI's own refusal", async () => {
  const store = new InMemorySessionStore();
  const scenario = await play([reply({ text: "one", usage: { input: 190_000 } }), reply("two")]);
  const build = { sessionStore: store, handoff: true };
  const first = await runAgent(world, scenario, { build });
  expect(first.outcome.context).toBe(190_000);
  const second = await runAgent(world, scenario, {
    build: { ...build, resume: first.outcome.sessionId ?? "" },
  });
  expect(second.outcome).toMatchObject({ ok: true, text: "two" });
});

describe("what a killed query leaves behind", () => {
  const endless = { command: "node -e 'setInterval(() => {}, 1000)'" };

  test("is gone when the CLI is killed in the middle of a tool call", async () => {
    const scenario = await play([toolCall("Bash", endless)]);
    const { outcome } = await runAgent(world, scenario, {
      spec: { allowedTools: ["Bash"] },
      build: { markers: { TEST_MARK: world.dir } },
      onMessage: (message) => {
        if (message.type === "assistant") setTimeout(() => killCli(world), 400);
      },
    });
    expect(outcome.error).toContain("SIGKILL");
    expect(markedProcesses("TEST_MARK", world.dir)).toEqual([]);
  });

  test("is gone when the query is aborted", async () => {
    const abort = new AbortController();
    const scenario = await play([toolCall("Bash", endless)]);
    const { outcome } = await runAgent(world, scenario, {
      spec: { allowedTools: ["Bash"] },
      build: { markers: { TEST_MARK: world.dir } },
      signal: abort.signal,
      onMessage: (message) => {
        if (message.type === "assistant") abort.abort();
      },
    });
    expect(outcome.ok).toBe(false);
    expect(markedProcesses("TEST_MARK", world.dir)).toEqual([]);
  });
});

/** Kills the CLI alone: the one marked process that a tool call's environment does not name as its parent. */
function killCli({ dir }: CliWorld): void {
  const cli = markedProcesses("TEST_MARK", dir).find(({ env }) => !env.has("CLAUDE_PID"));
  if (cli !== undefined) process.kill(cli.pid, "SIGKILL");
}

test("an interrupt stops a long command, and the session can go on", async () => {
  const store = new InMemorySessionStore();
  const scenario = await play([
    toolCall("Bash", { command: "node -e 'setTimeout(() => {}, 60000)'" }),
    reply("back"),
  ]);
  const build = { sessionStore: store };
  const first = await runAgent(world, scenario, {
    spec: { allowedTools: ["Bash"] },
    build,
    onMessage: (message, control) => {
      if (message.type === "assistant") setTimeout(() => control.interrupt(), 300);
    },
  });
  expect(first.outcome).toMatchObject({ ok: false, terminalReason: "aborted_tools" });
  const second = await runAgent(world, scenario, {
    spec: { allowedTools: ["Bash"] },
    build: { ...build, resume: first.outcome.sessionId ?? "" },
  });
  expect(second.outcome.text).toBe("back");
});

test("cost is of the query alone, also when the session has cost before", async () => {
  const store = new InMemorySessionStore();
  const usage = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };
  const scenario = await play([reply({ text: "one", usage }), reply({ text: "two", usage })]);
  const first = await runAgent(world, scenario, { build: { sessionStore: store } });
  const build = { sessionStore: store, resume: first.outcome.sessionId ?? "" };
  const second = await runAgent(world, scenario, { build });
  // List price of this model: 3 dollars a million tokens in, 15 out.
  expect(first.outcome.costUsd).toBeCloseTo(0.0045, 6);
  expect(second.outcome.costUsd).toBeCloseTo(0.0045, 6);
  expect(first.outcome.servedModel).toBe(MODEL);
});
