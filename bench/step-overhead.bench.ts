import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { buildOptions } from "../src/agent/options.ts";
import type { AgentSpec } from "../src/agent/spec.ts";
import { Runtime } from "../src/runtime/runtime.ts";
import { reply, type ScriptedModel, startScriptedModel, toolCall } from "../src/testing/index.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Tool calls of the conversation; with the start of the CLI they take a few seconds. */
const CALLS = 20;
/** Pairs measured; the figure is the median of their ratios, so that one disturbed pair does not count. */
const PAIRS = 7;
const SPEC: AgentSpec = {
  name: "bench",
  instructions: "",
  model: "claude-sonnet-4-5",
  allowedTools: ["Bash"],
};

/**
 * What flower costs on top of the bare SDK: wall time of a scripted step through `Runtime.run`, with workbench,
 * hooks and store, divided by the same conversation through `query()`, measured in turn in one run. Both get the
 * same options but for those three, so that what a leaner CLI saves is not counted in our favour.
 */
const bench = {
  name: "step-overhead",
  run: async () => {
    const model = await startScriptedModel((request) =>
      request.history().length < CALLS ? toolCall("Bash", { command: "echo hi" }) : reply("done"),
    );
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    try {
      await bare(model, dir, "warm-up");
      const ratios: number[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const bareMs = await timed(() => bare(model, dir, `bare-${pair}`));
        const flowerMs = await timed(() => throughRuntime(model, dir, `flower-${pair}`));
        ratios.push(flowerMs / bareMs);
      }
      return [figure({ bench: "step-overhead", value: median(ratios), unit: "ratio", target: "<=1.15" })];
    } finally {
      await model.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  },
} satisfies Bench;

export default bench;

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function environment(model: ScriptedModel, dir: string): Record<string, string> {
  return model.env({
    configDir: join(dir, "config"),
    home: dir,
    path: process.env["PATH"] ?? "",
    extra: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
  });
}

async function bare(model: ScriptedModel, dir: string, name: string): Promise<void> {
  const cwd = join(dir, name);
  mkdirSync(cwd);
  const env = environment(model, dir);
  const running = query({
    prompt: "go",
    options: buildOptions(SPEC, { cwd, env, configDirectory: join(dir, "config"), handoff: true }),
  });
  let turns = 0;
  for await (const message of running) if (message.type === "result") turns = message.num_turns;
  if (turns !== CALLS + 1) throw new Error(`the bare conversation took ${turns} turns`);
}

async function throughRuntime(model: ScriptedModel, dir: string, name: string): Promise<void> {
  const runtime = new Runtime({
    workspace: join(dir, name),
    env: environment(model, dir),
    dotenv: false,
    workbench: true,
  });
  try {
    const result = await runtime.run(SPEC, "go");
    if (result.numTurns !== CALLS + 1)
      throw new Error(`the step took ${result.numTurns} turns: ${result.error}`);
  } finally {
    runtime.close();
  }
}
