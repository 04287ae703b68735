import { afterEach, beforeEach, expect, test } from "vitest";
import { RUN_MARKER } from "../../src/agent/environment.ts";
import { markedProcesses } from "../../src/agent/processes.ts";
import { coordinator } from "../../src/roles/coordinator.ts";
import { worker } from "../../src/roles/worker.ts";
import { reply, toolCall } from "../../src/testing/index.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** Sockets, servers, pipes, children and timers of this process, counted by kind. */
function resources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Of the process. For its exit the SDK keeps one from the first query on, for all of them (0.3.332). */
const listeners = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    process
      .eventNames()
      .filter((name) => name !== "exit")
      .map((name) => [String(name), process.listenerCount(name)]),
  );

/** What was closed is gone from the books of the event loop some turns later. */
async function settled(before: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
  const isBack = (): boolean =>
    Object.entries(resources()).every(([kind, count]) => count <= (before[kind] ?? 0));
  for (let turn = 0; turn < 2_000 && !isBack(); turn += 1) await new Promise((next) => setTimeout(next, 5));
  return resources();
}

/** Counts who listens to a signal, of which Node itself keeps no public account. */
function watched(): { signal: AbortSignal; listening: () => number; abort: () => void } {
  const abort = new AbortController();
  const { signal } = abort;
  let count = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<AbortSignal["addEventListener"]>) => {
    count += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<AbortSignal["removeEventListener"]>) => {
    count -= 1;
    remove(...args);
  };
  return { signal, listening: () => count, abort: () => abort.abort() };
}

test("after close nothing of a runtime is left: no listener, timer, socket, server or process", async () => {
  await world.play((request) => {
    if (request.agent === "subagent")
      return request.history().length === 0 ? toolCall("Bash", { command: "echo hi" }) : reply("said hi");
    return request.history().some(({ tool }) => tool === "Agent")
      ? reply("done")
      : toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" });
  });
  const lead = { ...coordinator("lead", "", { coder: worker("works", "You work.") }), model: MODEL };
  const [before, listened] = [resources(), listeners()];
  const runtime = world.runtime();
  const { signal, listening } = watched();
  const result = await runtime.run(lead, "go", { signal });
  expect(result.ok).toBe(true);
  const atExit = process.listenerCount("exit");
  await runtime.run(lead, "again", { resume: result.sessionId ?? "", signal });
  runtime.close();
  expect(markedProcesses(RUN_MARKER, runtime.runDir)).toEqual([]);
  expect(process.listenerCount("exit")).toBe(atExit);
  expect(listeners()).toEqual(listened);
  expect(listening()).toBe(0);
  const after = await settled(before);
  for (const [kind, count] of Object.entries(after))
    expect({ kind, count }).toEqual({ kind, count: Math.min(count, before[kind] ?? 0) });
}, 120_000);

test("also when it is closed over a step that was left in the middle", async () => {
  await world.play((request) =>
    request.history().length === 0 ? toolCall("Bash", { command: "sleep 600" }) : reply("done"),
  );
  const [before, listened] = [resources(), listeners()];
  const runtime = world.runtime();
  const { signal, listening, abort } = watched();
  const result = await runtime.run(specOf(), "go", {
    signal,
    onEvent: ({ kind }) => {
      if (kind === "tool_call") abort();
    },
  });
  expect(result.ok).toBe(false);
  runtime.close();
  expect(markedProcesses(RUN_MARKER, runtime.runDir)).toEqual([]);
  expect(listeners()).toEqual(listened);
  expect(listening()).toBe(0);
  const after = await settled(before);
  for (const [kind, count] of Object.entries(after))
    expect({ kind, count }).toEqual({ kind, count: Math.min(count, before[kind] ?? 0) });
}, 120_000);
