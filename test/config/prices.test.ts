import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { costOf } from "../../src/config/prices.ts";
import { reply, type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { type CliWorld, makeWorld } from "../support/cli-world.ts";
import { childEnv } from "../support/run-agent.ts";

const FIRST = "claude-fable-5";
const MODELS = [
  FIRST,
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

let world: CliWorld;
let model: ScriptedModel;
/** What one turn of each model costs, as the CLI counts it. */
let counted: ReadonlyMap<string, number>;

beforeAll(async () => {
  world = makeWorld();
  const usage = { input: 100_000, output: 10_000, cacheRead: 200_000, cacheWrite: 50_000 };
  model = await startScriptedModel(() => reply({ text: "done", usage }));
  counted = await countAll();
});

afterAll(async () => {
  await model.close();
  await world.cleanup();
});

/** One CLI for all models: starting it takes a second. `/clear` begins a conversation whose costs start at nothing. */
async function countAll(): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  let ended = (): void => undefined;
  const said = (content: string): SDKUserMessage => ({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
  });
  const turn = (): Promise<void> =>
    new Promise((done) => {
      ended = done;
    });
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (const name of MODELS) {
      if (name !== FIRST) await running.setModel(name);
      for (const words of ["hi", "/clear"]) {
        const over = turn();
        yield said(words);
        await over;
      }
    }
  }
  const running = query({
    prompt: prompts(),
    options: {
      cwd: world.workspace,
      model: FIRST,
      settingSources: [],
      tools: [],
      env: childEnv(world, model),
    },
  });
  for await (const message of running) {
    if (message.type !== "result") continue;
    const [name, ...others] = Object.keys(message.modelUsage);
    expect(others).toEqual([]);
    if (name !== undefined) costs.set(name, message.total_cost_usd);
    ended();
  }
  return costs;
}

test.each(MODELS)("%s costs what the CLI counts it at", (name) => {
  const tokens = {
    input: 100_000,
    output: 10_000,
    cacheRead: 200_000,
    cacheWrite5m: 50_000,
    cacheWrite1h: 0,
  };
  expect(costOf(name, tokens)).toBeCloseTo(counted.get(name) ?? Number.NaN, 6);
});
