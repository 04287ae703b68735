import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { buildOptions } from "../src/agent/options.ts";
import type { AgentSpec } from "../src/agent/spec.ts";
import { Runtime } from "../src/runtime/runtime.ts";
import {
  reply,
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
  toolCall,
} from "../src/testing/index.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Pairs measured; the figure is the median of their ratios, so that one disturbed pair does not count. */
const PAIRS = 9;
/** Tool calls of each conversation; with the start of the CLI they take a few seconds. */
const CALLS = 20;
const SPEC: AgentSpec = {
  name: "bench",
  instructions: "",
  model: "claude-sonnet-4-5",
  allowedTools: ["Glob", "Grep", "Read", "Edit", "Bash"],
};

/** The file that is worked on, and its test. */
const FILES = {
  "total.js": "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n",
  "total.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { total } from "./total.js";
test("adds up", () => assert.equal(total([1, 2]), 3));
`,
} as const;

/** What the model calls as its call number `index`, in this workspace. */
type Conversation = (index: number, workspace: string) => ScriptStep;

/** What work is made of, four times: find, search, read, change, and run the test. */
const work: Conversation = (index, workspace) => {
  const path = join(workspace, "total.js");
  const round = Math.floor(index / 5);
  const [from, to] = round % 2 === 0 ? ["price", "cost"] : ["cost", "price"];
  const calls = [
    toolCall("Glob", { pattern: "*.js" }),
    toolCall("Grep", { pattern: "total", output_mode: "content" }),
    toolCall("Read", { file_path: path }),
    toolCall("Edit", { file_path: path, old_string: from, new_string: to, replace_all: true }),
    toolCall("Bash", { command: "node --test" }),
  ];
  return calls[index % 5] ?? reply("done");
};

/** The least that a call can do: nearly all of it is what surrounds it. */
const least: Conversation = () => toolCall("Bash", { command: "echo hi" });

/**
 * What flower costs on top of the bare SDK: wall time of a scripted step through `Runtime.run`, with gateway, workbench,
 * hooks and store, divided by the same conversation through `query()`, measured in turn in one run. Both get the
 * same options but for those, so that what a leaner CLI saves is not counted in our favour. Beside the figure for
 * calls as work makes them stands the one for calls that do nothing, which no work comes near.
 */
const bench = {
  name: "step-overhead",
  run: async () => [
    figure({ bench: "step-overhead", value: await ratioOf(work), unit: "ratio", target: "<=1.10" }),
    figure({ bench: "step-overhead-of-nothing", value: await ratioOf(least), unit: "ratio", target: "" }),
  ],
} satisfies Bench;

export default bench;

async function ratioOf(conversation: Conversation): Promise<number> {
  let workspace = "";
  const model = await startScriptedModel((request) => {
    const answered = request.history().length;
    return answered < CALLS ? conversation(answered, workspace) : reply("done");
  });
  const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
  const enter = (name: string): string => {
    workspace = join(dir, name);
    mkdirSync(workspace);
    for (const [file, text] of Object.entries(FILES)) writeFileSync(join(workspace, file), text);
    return workspace;
  };
  try {
    await bare(model, dir, enter("warm-up"));
    const ratios: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const bareMs = await timed(() => bare(model, dir, enter(`bare-${pair}`)));
      const flowerMs = await timed(() => throughRuntime(model, dir, enter(`flower-${pair}`)));
      ratios.push(flowerMs / bareMs);
    }
    const failed = model.calls.flatMap(({ request }) => request.history()).find(({ isError }) => isError);
    if (failed !== undefined) throw new Error(`${failed.tool} failed: ${failed.text}`);
    return median(ratios);
  } finally {
    await model.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

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

async function bare(model: ScriptedModel, dir: string, cwd: string): Promise<void> {
  const env = environment(model, dir);
  const running = query({
    prompt: "go",
    options: buildOptions(SPEC, { cwd, env, configDirectory: join(dir, "config"), handoff: true }),
  });
  let turns = 0;
  for await (const message of running) if (message.type === "result") turns = message.num_turns;
  if (turns !== CALLS + 1) throw new Error(`the bare conversation took ${turns} turns`);
}

async function throughRuntime(model: ScriptedModel, dir: string, workspace: string): Promise<void> {
  const runtime = new Runtime({
    workspace,
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
