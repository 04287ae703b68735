import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultWindow, learntWindow, windowKey } from "../../src/config/window.ts";
import type { Event } from "../../src/events/event.ts";
import { promptTooLong, reply, toolCall } from "../../src/testing/index.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** A model of which a window of a million is expected by its name, and which has less. */
function play(max: number) {
  let isFirst = true;
  return world.play((request) => {
    if (request.firstPrompt.includes("[degraded")) return reply("done");
    if (!isFirst) return promptTooLong({ tokens: max + 10_000, max });
    isFirst = false;
    return toolCall("Bash", { command: "echo looked" });
  });
}

const notices = (): readonly string[] =>
  world.events
    .filter(({ kind, payload }) => kind === "system" && payload["subtype"] === "notice")
    .map(({ text }) => text);
const onEvent = (event: Event): void => void world.events.push(event);

test("an overflow teaches this run and every later one how much the model takes", async () => {
  await play(150_000);
  const env = world.env({ ANTHROPIC_MODEL: MODEL });
  const runtime = world.runtime({ env });
  expect(runtime.handoff.window).toBe(1_000_000);
  const result = await runtime.run(specOf({ model: undefined }), "count", { onEvent });
  expect(result).toMatchObject({ ok: true, text: "done" });
  expect(runtime.handoff).toMatchObject({ window: 150_000, at: 100_000 });
  expect(notices()).toEqual([
    expect.stringMatching(/at most 150000 tokens of claude-sonnet-4-5, not 1000000/),
  ]);
  expect(defaultWindow(env)).toBe(150_000);
  expect(world.runtime({ env }).handoff.window).toBe(150_000);
});

test("what a spec's own model takes is learnt for that model alone, also without the gateway", async () => {
  await play(150_000);
  const env = world.env({ ANTHROPIC_MODEL: "claude-of-the-house" });
  const runtime = world.runtime({ env, gateway: false });
  await runtime.run(specOf(), "count", { onEvent });
  expect(runtime.handoff.window).toBe(150_000);
  expect(learntWindow(windowKey(env, MODEL))).toBe(150_000);
  expect(defaultWindow(env)).toBe(1_000_000);
});

test("a window that no model has is not believed", async () => {
  await play(5_000);
  const env = world.env();
  const runtime = world.runtime({ env });
  await runtime.run(specOf(), "count", { onEvent });
  expect([runtime.handoff.window, defaultWindow(env)]).toEqual([1_000_000, 1_000_000]);
  expect(notices()).toEqual([]);
});
