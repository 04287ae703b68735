import { afterEach, beforeEach, expect, test } from "vitest";
import { QUERY_MARKER } from "../../src/agent/environment.ts";
import { type MarkedProcess, markedProcesses } from "../../src/agent/processes.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { readLocalTranscripts } from "../../src/store/local-transcripts.ts";
import { type ModelRequest, reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

/** The CLI of this world, and with it the commands that it runs. */
const clis = (): readonly MarkedProcess[] =>
  markedProcesses(QUERY_MARKER).filter(({ env }) => env.get("CLAUDE_CODE_TMPDIR") === world.cli.scratch);

function killCli(): void {
  for (const { pid } of clis()) process.kill(pid, "SIGKILL");
}

/** Tool results that the CLI has written for itself. */
function writtenResults(runtime: Runtime, sessionId: string): number {
  const configDirectory =
    clis()
      .find(({ env }) => env.has("CLAUDE_CONFIG_DIR"))
      ?.env.get("CLAUDE_CONFIG_DIR") ?? "";
  const { projectKey } = runtime;
  const entries = readLocalTranscripts(configDirectory, { projectKey, sessionId }).flatMap(
    (one) => one.entries,
  );
  return entries.filter((entry) => "toolUseResult" in entry).length;
}

const done = (request: ModelRequest): number => request.history().length;

test("a CLI that is killed alone costs nothing: the same session goes on with all that it had done", async () => {
  let kills = 1;
  const model = await world.play((request) => {
    if (done(request) === 2 && kills-- > 0) killCli();
    return done(request) < 3
      ? toolCall("Bash", { command: `echo ${done(request)} >> count` })
      : reply("counted to three");
  });
  const result = await world.runtime().run(specOf(), "count");
  expect(result).toMatchObject({ ok: true, attempts: 2, resumed: true });
  expect(model.calls.map(({ request }) => done(request))).toEqual([0, 1, 2, 2, 3]);
  expect(new Set(model.calls.map(({ request }) => request.sessionId))).toEqual(new Set([result.sessionId]));
}, 60_000);

/** More than the pipe between the CLI and flower holds, so that what nobody reads stays with the CLI. */
const CALLS = 12;
const LONG = 28_000;

/** Nothing of this process goes on until it holds: a machine that is busy elsewhere. */
function standStillUntil(holds: () => boolean): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!holds()) Atomics.wait(cell, 0, 0, 20);
}

test.each([
  { session: "a new session", resumed: false },
  { session: "one that was resumed, of whose files the SDK leaves nothing", resumed: true },
])(
  "what a CLI wrote while flower stood still is saved when it is killed: $session",
  async ({ resumed }) => {
    const commands = Array.from({ length: CALLS }, (_, n) => ({
      name: "Bash",
      input: { command: `head -c ${LONG} /dev/zero | tr '\\0' ${n % 10}` },
    }));
    const model = await world.play((request) => {
      if (request.prompt === "hello") return reply("hi");
      return done(request) === 0 ? reply({ toolCalls: commands }) : reply("all came back");
    });
    // Without a hook nothing holds the calls up while flower stands still.
    const runtime = world.runtime({ spillThreshold: null, ephemeral: false });
    const first = resumed ? await runtime.run(specOf(), "hello") : undefined;
    let stands = false;
    let sessionId = "";
    const result = await runtime.run(specOf(), "print much", {
      resume: first?.sessionId ?? undefined,
      onSession: (id) => {
        sessionId = id;
      },
      onEvent: (event) => {
        if (stands || event.kind !== "tool_result") return;
        stands = true;
        standStillUntil(() => writtenResults(runtime, sessionId) === CALLS);
        killCli();
      },
    });
    expect(result).toMatchObject({ ok: true, resumed: true, text: expect.stringContaining("all came back") });
    // The calls were not made again, and each has come back with what it printed.
    const last = model.calls.at(-1)?.request;
    const came = last?.history().filter(({ isError, text }) => !isError && text.length > 1_000) ?? [];
    expect(came.length).toBe(CALLS);
    expect(model.calls.filter(({ request }) => request.prompt.includes("print much"))).toHaveLength(1);
  },
  60_000,
);
