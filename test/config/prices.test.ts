import { query } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { costOf } from "../../src/config/prices.ts";
import { reply, type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { type CliWorld, makeWorld } from "../support/cli-world.ts";
import { childEnv } from "../support/run-agent.ts";

let world: CliWorld;
let model: ScriptedModel;

beforeAll(async () => {
  world = makeWorld();
  const usage = { input: 100_000, output: 10_000, cacheRead: 200_000, cacheWrite: 50_000 };
  model = await startScriptedModel(() => reply({ text: "done", usage }));
});

afterAll(async () => {
  await model.close();
  await world.cleanup();
});

const MODELS = [
  "claude-fable-5",
  "claude-fable-5-1",
  "claude-fable-5-2",
  "claude-mythos-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
  "claude-opus-5-5",
  "claude-opus-4-8",
  "claude-opus-4-5",
  "claude-sonnet-5",
  "claude-sonnet-4-5",
  "claude-haiku-4-5",
  "claude-3-5-haiku-20241022",
  "a-model-of-somebody-else",
];

test.each(MODELS)("%s costs what the CLI counts it at", async (name) => {
  let counted = Number.NaN;
  const options = {
    cwd: world.workspace,
    model: name,
    settingSources: [],
    tools: [],
    env: childEnv(world, model),
  };
  for await (const message of query({ prompt: "hi", options })) {
    if (message.type === "result") counted = message.total_cost_usd;
  }
  const tokens = {
    input: 100_000,
    output: 10_000,
    cacheRead: 200_000,
    cacheWrite5m: 50_000,
    cacheWrite1h: 0,
  };
  expect(costOf(name, tokens)).toBeCloseTo(counted, 6);
});
