import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { delay, reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

/** What a step has cost stands in the books whenever and however it ends. */

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** A reply that costs three dollars on the model of the tests. */
const dear = { usage: { input: 1_000_000, output: 0 } };
const patient = "node -e 'setTimeout(() => {}, 30000)'";
const look = (command = "echo hi") => toolCall("Bash", { command }, dear);

function recordedUsd(runtime: Runtime): readonly number[] {
  const directory = join(runtime.runDir, "in-flight");
  return readdirSync(directory).map((name) => {
    const record: { costUsd: number } = JSON.parse(readFileSync(join(directory, name), "utf8"));
    return record.costUsd;
  });
}

test("the record of a step in flight, and its row after a signal, hold what it has cost so far", async () => {
  await world.play([look(), look("sleep 1"), reply({ text: "done", ...dear })]);
  const runtime = world.runtime({ handoff: false });
  const recorded: (readonly number[])[] = [];
  const rescued: unknown[] = [];
  const result = await runtime.run(specOf(), "go", {
    onEvent: ({ kind, text }) => {
      if (kind !== "tool_call" || !text.includes("sleep")) return;
      recorded.push(recordedUsd(runtime));
      runtime.rescue();
      rescued.push(...manifestRows(runtime));
    },
  });
  expect(recorded).toEqual([[expect.closeTo(3, 1)]]);
  expect(rescued).toMatchObject([{ cost_usd: expect.closeTo(6, 1), error: "killed-by-signal" }]);
  expect(result.costUsd).toBeCloseTo(9, 1);
  expect(manifestRows(runtime)).toMatchObject([{ cost_usd: expect.closeTo(9, 1), error: null }]);
}, 60_000);

test("a process that dies in a later turn has cost what that turn took", async () => {
  const channel = new HumanChannel();
  await world.play([reply({ text: "one", ...dear }), look(patient), reply({ text: "two", ...dear })]);
  const runtime = world.runtime({ handoff: false });
  let said = false;
  const result = await runtime.run(specOf(), "go", {
    mail: channel,
    onEvent: ({ kind }) => {
      if (kind === "result" && !said) channel.send("And now?");
      said ||= kind === "result";
      if (kind !== "tool_call") return;
      // The CLI alone: it would answer the death of its command with another request.
      const clis = markedProcesses("FLOWER_RUN_DIR", runtime.runDir).filter(
        ({ env }) => !env.has("CLAUDE_PID"),
      );
      for (const { pid } of clis) process.kill(pid, "SIGKILL");
    },
  });
  expect(result).toMatchObject({ ok: true, attempts: 2, closing: "two" });
  expect(result.costUsd).toBeCloseTo(9, 1);
}, 60_000);

test("subagents, handoff turns, broken attempts and every step are in the total, within one percent", async () => {
  const document = "## Doing now\nCounting.\n\n## Next step\nSay three.\n";
  const full = { usage: { input: 100_000, output: 1_000, cacheRead: 50_000, cacheWrite: 10_000 } };
  const model = await world.play((request) => {
    const { prompt } = request;
    if (request.agent === "subagent") return reply({ text: "THE REPORT", ...full });
    if (prompt.startsWith("Your context is nearly full")) return reply({ text: document, ...full });
    if (request.firstPrompt.includes("Say three.")) return reply({ text: "three", ...full });
    if (prompt === "again") return toolCall("Bash", { command: patient }, full);
    const agent = { description: "d", prompt: "p", subagent_type: "coder" };
    // The handoff cuts the request that follows the report: one that is answered meanwhile would be anybody's guess.
    return request.history().length === 0
      ? toolCall("Agent", agent, full)
      : delay(20_000, toolCall("Bash", { command: "true" }, full));
  });
  const runtime = world.runtime({ handoff: { window: 200_000, headroom: 50_000 } });
  const spec = specOf({
    allowedTools: ["Agent", "Bash"],
    agents: { coder: { description: "works", prompt: "You work.", tools: ["Bash"] } },
  });
  const handedOver = await runtime.run(spec, "count");
  expect(handedOver).toMatchObject({ ok: true, text: expect.stringContaining("three") });
  expect(handedOver.retired).toHaveLength(1);
  const leave = new AbortController();
  const broken = await runtime.run(spec, "again", {
    signal: leave.signal,
    onEvent: ({ kind, text }) => {
      if (kind === "tool_call" && text.includes("node -e")) leave.abort();
    },
  });
  expect(broken.ok).toBe(false);
  const served = model.calls.filter(({ answered, clientGone }) => answered === "reply" && !clientGone).length;
  // Sonnet 4.5 in US dollars a million tokens: 3 in, 15 out, 0.3 read from the cache, 3.75 written to it.
  const eachUsd = (100_000 * 3 + 1_000 * 15 + 50_000 * 0.3 + 10_000 * 3.75) / 1e6;
  const expected = served * eachUsd;
  expect(served).toBe(5);
  expect(Math.abs(runtime.totalCost() / expected - 1)).toBeLessThan(0.01);
  const booked = manifestRows(runtime).reduce((sum, row) => sum + Number(row["cost_usd"]), 0);
  expect(Math.abs(booked / expected - 1)).toBeLessThan(0.01);
}, 90_000);

test("a reply that is broken off has cost what had come of it", async () => {
  await world.play([
    reply({ thinking: "Hm.", text: "done", usage: { input: 1_000_000, output: 0 }, betweenBlocksMs: 20_000 }),
  ]);
  const runtime = world.runtime({ handoff: false });
  const leave = new AbortController();
  const result = await runtime.run(specOf(), "go", {
    signal: leave.signal,
    onEvent: ({ kind }) => {
      if (kind === "thinking") leave.abort();
    },
  });
  expect(result.ok).toBe(false);
  expect(result.costUsd).toBeCloseTo(3, 2);
}, 60_000);
