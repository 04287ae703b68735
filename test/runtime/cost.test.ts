import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

/** What a step has cost stands in the books whenever and however it ends. */

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** A reply that costs three dollars on the model of the tests. */
const dear = { usage: { input: 1_000_000, output: 0 } };
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
  await world.play([reply({ text: "one", ...dear }), look("sleep 30"), reply({ text: "two", ...dear })]);
  const runtime = world.runtime({ handoff: false });
  let said = false;
  const result = await runtime.run(specOf(), "go", {
    mail: channel,
    onEvent: ({ kind }) => {
      if (kind === "result" && !said) channel.send("And now?");
      said ||= kind === "result";
      if (kind !== "tool_call") return;
      for (const { pid } of markedProcesses("FLOWER_RUN_DIR", runtime.runDir)) process.kill(pid, "SIGKILL");
    },
  });
  expect(result).toMatchObject({ ok: true, attempts: 2, closing: "two" });
  expect(result.costUsd).toBeCloseTo(9, 1);
}, 60_000);
