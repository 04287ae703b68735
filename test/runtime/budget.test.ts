import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** A reply that costs three dollars on the model of the tests. */
const dear = { usage: { input: 1_000_000, output: 0 } };
const look = () => toolCall("Bash", { command: "echo hi" }, dear);

describe("a budget", () => {
  test("ends a step before the request that would go beyond it, and every later step before it begins", async () => {
    const model = await world.play([look(), look(), look(), reply({ text: "done", ...dear })]);
    const runtime = world.runtime({ budgetUsd: 5, handoff: false });
    const result = await runtime.run(specOf(), "go");
    expect(result).toMatchObject({ ok: false, attempts: 1, error: expect.stringContaining("budget") });
    expect(result.error).toContain("$6.00 of $5.00");
    expect(result.costUsd).toBeCloseTo(6, 1);
    expect(runtime.totalCost()).toBeCloseTo(6, 1);
    const next = await runtime.run(specOf(), "more");
    expect(next).toMatchObject({ ok: false, costUsd: 0, error: expect.stringContaining("$5.00") });
    expect(model.calls.filter(({ request }) => request?.kind === "turn")).toHaveLength(2);
  });

  test("with the gateway off ends between two attempts", async () => {
    const model = await world.play([reply({ text: "done", ...dear })]);
    const runtime = world.runtime({ budgetUsd: 1, handoff: false, gateway: false });
    expect(await runtime.run(specOf(), "go")).toMatchObject({ ok: true });
    expect(await runtime.run(specOf(), "more")).toMatchObject({ ok: false });
    expect(model.calls).toHaveLength(1);
  });

  test.each([0, -1, Number.NaN])("of %s is refused before anything is spent", async (budgetUsd) => {
    await world.play([]);
    expect(() => world.runtime({ budgetUsd })).toThrow(
      expect.objectContaining({ code: "runtime/bad-budget" }),
    );
  });
});

test("a step that is broken off has cost what went over the wire", async () => {
  await world.play([look(), toolCall("Bash", { command: "sleep 30" }, dear)]);
  const runtime = world.runtime({ handoff: false });
  const leave = new AbortController();
  const result = await runtime.run(specOf(), "go", {
    signal: leave.signal,
    onEvent: (event) => {
      if (event.kind === "tool_call" && event.text.includes("sleep")) leave.abort();
    },
  });
  expect(result.ok).toBe(false);
  expect(result.costUsd).toBeCloseTo(6, 1);
});
