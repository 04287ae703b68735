import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coordinator } from "../../src/roles/coordinator.ts";
import { worker } from "../../src/roles/worker.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { type ModelRequest, reply, type ScriptStep, toolCall } from "../../src/testing/index.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, manifestRows, type RunWorld } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const lead = () => ({
  ...coordinator("lead", "", { coder: worker("works", "You work.") }),
  model: MODEL,
});
const records = (runtime: Runtime): string[] => {
  const directory = join(runtime.runDir, "in-flight");
  return existsSync(directory) ? readdirSync(directory) : [];
};
const named = (request: ModelRequest): string | undefined => /coder: (\w+)/.exec(request.prompt)?.[1];

/** A worker that says one word for each of its two commands, the second of which takes long the first time. */
function play(slow: () => boolean): (request: ModelRequest) => ScriptStep {
  return (request) => {
    if (request.agent === "main") {
      const id = named(request);
      const answered = request.history().filter(({ tool }) => tool === "SendMessage").length;
      if (id !== undefined && answered === 0)
        return toolCall("SendMessage", { to: id, summary: "go on", message: "Go on where you were." });
      const begun = request.history().some(({ tool }) => tool === "Agent");
      return begun
        ? reply("done")
        : toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" });
    }
    const calls = request.history().filter(({ tool }) => tool === "Bash").length;
    if (calls === 0) return toolCall("Bash", { command: "echo one >> words" });
    if (slow()) return toolCall("Bash", { command: "touch started; sleep 30" });
    return readFileSync(join(world.workspace, "words"), "utf8").includes("two")
      ? reply("both words are written")
      : toolCall("Bash", { command: "echo two >> words" });
  };
}

test("a worker of a step that was left for good is named when its session is gone on with", async () => {
  let isSlow = true;
  await world.play(play(() => isSlow));
  const first = world.runtime();
  const leave = new AbortController();
  let [session, coder] = ["", ""];
  // Not before the worker can be gone on with: its call is told before the row is stored.
  const leaveBehind = async (): Promise<void> => {
    await vi.waitUntil(() => first.store.isUnfinished(first.projectKey, session, coder), { timeout: 20_000 });
    leave.abort();
  };
  const left = await first.run(lead(), "write two words", {
    stepName: "work",
    signal: leave.signal,
    onSession: (id) => {
      session = id;
    },
    onEvent: (event) => {
      if (event.kind === "task" && event.payload.subtype === "task_started")
        coder = String(event.payload.task_id);
      if (event.kind === "tool_call" && event.text.includes("sleep")) void leaveBehind();
    },
  });
  expect(left.ok).toBe(false);
  expect(records(first)).toHaveLength(1);
  first.close();
  isSlow = false;
  const second = world.runtime();
  const result = await second.run(lead(), "go on", { stepName: "work", resume: left.sessionId ?? "" });
  expect(result).toMatchObject({ ok: true });
  expect(readFileSync(join(world.workspace, "words"), "utf8")).toBe("one\ntwo\n");
  expect(records(second)).toEqual([]);
  expect(manifestRows(second).map(({ ok }) => ok)).toEqual([false, true]);
}, 60_000);

test("a step whose flower was killed is booked by the next one, once", async () => {
  await world.play(() => reply("done"));
  const runtime = world.runtime();
  await runtime.run(lead(), "go", { stepName: "work" });
  const dead = {
    run: "20260101-000000-abcdef",
    owner: { process: "1:1", host: (await import("node:os")).hostname() },
    step: "goal",
    sessionId: "00000000-0000-4000-8000-000000000001",
    configDirectory: null,
    workers: [],
    booked: false,
    startedAt: 1_000,
    savedAt: 5_000,
    costUsd: 0.5,
    numTurns: 2,
    attempts: 1,
    context: 10,
    text: "half",
    errors: [],
    resumed: false,
    retired: [],
  };
  writeFileSync(join(runtime.runDir, "in-flight", "dead-1.json"), JSON.stringify(dead));
  const next = world.runtime();
  const texts: string[] = [];
  await next.run(lead(), "go", { onEvent: ({ text }) => texts.push(text) });
  await world.runtime().prepare();
  const rows = manifestRows(next).filter(({ run }) => run === dead.run);
  expect(rows).toEqual([
    expect.objectContaining({
      step: "goal",
      ok: false,
      error: "killed-by-signal",
      cost_usd: 0.5,
      ended_at: 5,
    }),
  ]);
  expect(texts.filter((text) => text.includes('killed in step "goal"'))).toHaveLength(1);
  expect(records(next)).toEqual([]);
}, 60_000);

test("a session in which another flower is at work is left to it", async () => {
  await world.play([reply("one"), toolCall("Bash", { command: "sleep 5" }), reply("two")]);
  const spec = { ...lead(), delegateOnly: false };
  const runtime = world.runtime();
  const { sessionId } = await runtime.run(spec, "go");
  const leave = new AbortController();
  const busy = runtime.run(spec, "again", {
    resume: sessionId ?? "",
    signal: leave.signal,
    onEvent: ({ kind }) => {
      if (kind === "tool_call") begun();
    },
  });
  let begun: () => void = () => undefined;
  await new Promise<void>((resolve) => {
    begun = resolve;
  });
  await expect(world.runtime().run(spec, "me too", { resume: sessionId ?? "" })).rejects.toMatchObject({
    code: "runtime/session-busy",
  });
  leave.abort();
  await busy;
}, 60_000);
