import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { oracle } from "../../src/roles/oracle.ts";
import { reply, toolCall } from "../../src/testing/index.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, manifestRows, type RunWorld } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** Beside the run it is asked about, with books of its own (SPEC 17). */
const aside = () => world.runtime({ runDir: join(world.workspace, "runs", "aside") });
/** An oracle that never has enough; 50,000 fresh tokens are 15 cents of this model. */
const looksOn = (tokens: number) => () =>
  toolCall("Glob", { pattern: "*.md" }, { usage: { input: tokens, output: 0 } });

describe("an oracle on the real CLI", () => {
  test("ends when it has cost half a dollar, is not tried again, and what it cost is in the books", async () => {
    const model = await world.play(looksOn(50_000));
    const runtime = aside();
    const result = await runtime.run(oracle(undefined, { model: MODEL }), "Where does it stand?");
    expect(result).toMatchObject({ ok: false, attempts: 1, error: expect.stringMatching(/budget/i) });
    // The fourth answer crosses the limit; no fifth is asked for.
    expect(model.calls).toHaveLength(4);
    expect(result.costUsd).toBeCloseTo(0.6, 5);
    expect(runtime.totalCost()).toBeCloseTo(0.6, 5);
    expect(manifestRows(runtime)).toMatchObject([{ step: "oracle", ok: false, cost_usd: result.costUsd }]);
    expect(existsSync(join(world.workspace, "runs", "manifest.json"))).toBe(false);
  });

  test("ends after twelve turns, and is not tried again", async () => {
    const model = await world.play(looksOn(10));
    const runtime = aside();
    const result = await runtime.run(oracle(undefined, { model: MODEL }), "Where does it stand?");
    expect(result).toMatchObject({ ok: false, attempts: 1, error: expect.stringMatching(/turns/i) });
    expect(model.calls).toHaveLength(12);
    expect(manifestRows(runtime)).toMatchObject([{ attempts: 1, cost_usd: result.costUsd }]);
  });

  test("counts towards the budget of the runtime that it is asked in, and answers within its limits", async () => {
    const model = await world.play([
      looksOn(50_000)(),
      reply({ text: "Half done.", usage: { input: 50_000, output: 0 } }),
    ]);
    const runtime = world.runtime({ budgetUsd: 0.2 });
    const result = await runtime.run(
      oracle(undefined, { model: MODEL, maxBudgetUsd: 5 }),
      "Where does it stand?",
    );
    // The second request is not sent any more… the first has cost 15 cents, less than 20; then nothing is left.
    expect(result).toMatchObject({ ok: true, text: "Half done." });
    expect(runtime.totalCost()).toBeCloseTo(0.3, 5);
    const next = await runtime.run(oracle(undefined, { model: MODEL }), "And now?");
    expect(next).toMatchObject({ ok: false, costUsd: 0, error: expect.stringContaining("$0.30 of $0.20") });
    model.assertComplete();
  });
});
