import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildOptions } from "../../src/agent/options.ts";
import { markedProcesses } from "../../src/agent/processes.ts";
import { runQuery } from "../../src/agent/query.ts";
import { systemClock } from "../../src/base/clock.ts";
import {
  reply,
  type Scenario,
  type ScriptedModel,
  startScriptedModel,
  toolCall,
} from "../../src/testing/index.ts";
import { type CliWorld, makeWorld } from "../support/cli-world.ts";
import { childEnv, MODEL, runAgent } from "../support/run-agent.ts";

/** What is left running when a turn ends, on the real CLI. */

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

const endless = "node -e 'setTimeout(() => {}, 600000)'";
const coder = { description: "works", prompt: "You are the coder.", tools: ["Bash"] };
const marked = () => markedProcesses("TEST_MARK", world.dir);

describe("a command that is left running", () => {
  test("by a worker ends with the worker's report, and holds nobody", async () => {
    const scenario = await play((request) => {
      const begun = request.history().length > 0;
      if (request.agent === "subagent")
        return begun ? reply("report") : toolCall("Bash", { command: endless, run_in_background: true });
      const agent = { description: "d", prompt: "p", subagent_type: "coder", run_in_background: false };
      return begun ? reply("done") : toolCall("Agent", agent);
    });
    const { outcome } = await runAgent(world, scenario, {
      spec: { allowedTools: ["Agent", "Bash"], agents: { coder } },
      build: { markers: { TEST_MARK: world.dir } },
    });
    expect(outcome).toMatchObject({ ok: true, text: "done" });
    expect(marked()).toEqual([]);
  }, 60_000);

  test("by the main thread holds the query for a while only; the result stands", async () => {
    const scenario = await play([
      toolCall("Bash", { command: endless, timeout: 1_000 }),
      reply("it takes too long"),
      reply("it has ended"),
    ]);
    const spec = { name: "test", instructions: "", model: MODEL, allowedTools: ["Bash"] };
    const waits: number[] = [];
    const outcome = await runQuery({
      options: buildOptions(spec, {
        cwd: world.workspace,
        env: childEnv(world, scenario),
        configDirectory: world.configDir,
        markers: { TEST_MARK: world.dir },
      }),
      prompt: "go",
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          waits.push(ms);
          return systemClock.sleep(Math.min(ms, 300), signal);
        },
      },
    });
    expect(outcome).toMatchObject({ ok: true, closing: "it takes too long" });
    expect(waits).toContain(600_000);
    expect(marked()).toEqual([]);
  }, 60_000);

  test("detached from the shell lives on", async () => {
    const scenario = await play([
      toolCall("Bash", { command: `nohup ${endless} > server.log 2>&1 & echo started` }),
      reply("the server runs"),
    ]);
    const { outcome } = await runAgent(world, scenario, {
      spec: { allowedTools: ["Bash"] },
      build: { markers: { TEST_MARK: world.dir } },
    });
    const left = marked();
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    expect(outcome).toMatchObject({ ok: true, text: "the server runs" });
    expect(left).toHaveLength(1);
  }, 60_000);
});

test("an agent that a spent budget killed in the background is an error, not a success", async () => {
  const usage = { input: 1_000, output: 5_000, cacheRead: 0, cacheWrite: 0 };
  const scenario = await play((request) => {
    const begun = request.history().length > 0;
    if (request.agent === "subagent") return toolCall("Bash", { command: "sleep 0.8; echo on" }, { usage });
    const agent = { description: "d", prompt: "p", subagent_type: "coder", run_in_background: true };
    return begun ? reply("waiting for it") : toolCall("Agent", agent);
  });
  const { outcome } = await runAgent(world, scenario, {
    spec: { allowedTools: ["Agent", "Bash"], agents: { coder }, maxBudgetUsd: 0.1 },
  });
  expect(outcome.ok).toBe(false);
  expect(outcome.error).toMatch(/budget/i);
}, 60_000);
