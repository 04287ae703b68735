import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { isOverflow } from "../../src/documents/overflow.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import {
  isMain,
  isSubagent,
  overloaded,
  promptTooLong,
  reply,
  route,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const patient = "node -e 'setTimeout(() => {}, 60000)'";

describe("a step that succeeds", () => {
  test("leaves its books on disk", async () => {
    await world.play([toolCall("Bash", { command: "echo hi" }), reply("done")]);
    const runtime = world.runtime();
    const known: string[] = [];
    runtime.onSession = (id) => known.push(id);
    const result = await runtime.run(specOf(), "say hi", {
      stepName: "greet",
      onEvent: (event) => world.events.push(event),
    });
    expect(result).toMatchObject({
      step: "greet",
      ok: true,
      text: "done",
      error: null,
      attempts: 1,
      resumed: false,
      retired: [],
    });
    expect(result.costUsd).toBeGreaterThan(0);
    expect(known).toEqual([result.sessionId]);
    expect(runtime.hasSession(result.sessionId ?? "")).toBe(true);
    expect(runtime.contextOf(result.sessionId ?? "")).toBe(result.context);
    expect(manifestRows(runtime)).toEqual([
      {
        step: "greet",
        session_id: result.sessionId,
        ok: true,
        cost_usd: result.costUsd,
        num_turns: 2,
        text: "done",
        error: null,
        started_at: result.startedAt / 1000,
        ended_at: result.endedAt / 1000,
        attempts: 1,
        errors: [],
        resumed: false,
        retired: [],
        context: result.context,
        duration_s: result.durationS,
        run: runtime.runId,
      },
    ]);
    expect(world.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["tool_call", "tool_result", "text", "result"]),
    );
  });

  test("is not hurt by a sink that throws", async () => {
    await world.play([reply("done")]);
    const runtime = world.runtime();
    const result = await runtime.run(specOf(), "go", {
      onEvent: () => {
        throw new Error("the front end is broken");
      },
    });
    expect(result.ok).toBe(true);
    expect(runtime.sinkErrors.length).toBeGreaterThan(0);
  });

  test("costs what its subagents cost too", async () => {
    const usage = { input: 1_000_000, output: 0 };
    await world.play(
      route([
        { name: "worker", when: isSubagent, steps: [reply({ text: "report", usage })] },
        {
          name: "main",
          when: isMain,
          steps: [
            toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" }, { usage }),
            reply({ text: "done", usage }),
          ],
        },
      ]),
    );
    const coder = { description: "works", prompt: "You work.", tools: ["Bash"] };
    const result = await world
      .runtime({ handoff: false })
      .run(specOf({ allowedTools: ["Agent"], agents: { coder } }), "go");
    // Three replies of a million tokens at 3 dollars each; the few output tokens are fractions of a cent.
    expect(result.costUsd).toBeCloseTo(9, 1);
    expect(result.text).toBe("done");
  });
});

describe("a failure, with the gateway off,", () => {
  test("worth a retry is survived in the same session, and stays out of the text", async () => {
    const model = await world.play([
      toolCall("Bash", { command: "echo hi" }),
      overloaded(),
      overloaded(),
      reply("done"),
    ]);
    const runtime = world.runtime({ gateway: false });
    const result = await runtime.run(specOf(), "say hi", { onEvent: (event) => world.events.push(event) });
    expect(result).toMatchObject({ ok: true, text: "done", attempts: 2, resumed: true });
    expect(result.errors).toHaveLength(1);
    expect(world.events.filter(({ kind }) => kind === "retry").map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([expect.objectContaining({ phase: "backoff", attempt: 1 })]),
    );
    const last = model.calls.at(-1)?.request;
    expect(last?.history().map(({ tool }) => tool)).toEqual(["Bash"]);
    expect(last?.prompt).toBe(runtime.resilience.resumePrompt);
  });

  test("that waiting cannot mend stops at once", async () => {
    const model = await world.play([unauthorized(), unauthorized()]);
    const result = await world.runtime({ gateway: false }).run(specOf(), "go");
    expect(result).toMatchObject({ ok: false, attempts: 1, text: "" });
    expect(result.error).toContain("Invalid API key");
    expect(model.calls).toHaveLength(2);
  });

  test("that passes, again and again, does not use up the attempts of a long run", async () => {
    const more = toolCall("Bash", { command: "echo more" });
    const outage = [overloaded(), overloaded()];
    await world.play([more, ...outage, more, ...outage, more, ...outage, reply("done")]);
    const result = await world
      .runtime({ gateway: false, resilience: { maxAttempts: 2, baseDelayMs: 1 } })
      .run(specOf(), "go");
    expect(result).toMatchObject({ ok: true, attempts: 4, error: null });
    expect(result.errors).toHaveLength(3);
  });

  test("that lasts stops after the attempts that the policy allows", async () => {
    await world.play(() => overloaded());
    const result = await world
      .runtime({ gateway: false, resilience: { maxAttempts: 2, baseDelayMs: 1 } })
      .run(specOf(), "go");
    expect(result).toMatchObject({ ok: false, attempts: 2 });
  });
});

test("a prompt that looks like a command of the CLI is only words", async () => {
  const model = await world.play([reply("it is for ...")]);
  const result = await world.runtime().run(specOf(), "/cost of what?");
  expect(result.text).toBe("it is for ...");
  expect(model.calls[0]?.request?.prompt).toContain("/cost of what?");
});

test("a closed runtime takes no step", async () => {
  const model = await world.play([reply("paid")]);
  const runtime = world.runtime();
  runtime.close();
  await expect(runtime.run(specOf(), "go")).rejects.toMatchObject({ code: "runtime/closed" });
  expect(model.calls).toEqual([]);
});

test("an event sink that rejects later is collected, not thrown at the process", async () => {
  await world.play([reply("done")]);
  const runtime = world.runtime();
  const late = (): unknown => Promise.reject(new Error("late"));
  await runtime.run(specOf(), "go", { onEvent: late });
  expect(runtime.sinkErrors).toContainEqual(new Error("late"));
});

test("a listener that throws is no failure of the model", async () => {
  const model = await world.play([reply("done")]);
  const runtime = world.runtime();
  runtime.onSession = () => {
    throw new Error("disk full");
  };
  expect(await runtime.run(specOf(), "go")).toMatchObject({ ok: true, attempts: 1 });
  expect(runtime.sinkErrors).toEqual([new Error("disk full")]);
  expect(model.calls).toHaveLength(1);
});

test("an endpoint that is none is an error before anything is spent", async () => {
  const model = await world.play([]);
  const env = { ...world.env(), ANTHROPIC_BASE_URL: "localhost:1" };
  expect(() => world.runtime({ env })).toThrow(expect.objectContaining({ code: "resilience/bad-base-url" }));
  expect(model.calls).toEqual([]);
});

test("fork without a session to branch from is an error at once", async () => {
  await world.play([]);
  await expect(world.runtime().run(specOf(), "go", { fork: true })).rejects.toMatchObject({
    code: "agent/needs-resume",
  });
});

test.each(["", "nobody", "00000000-0000-4000-8000-000000000000"])(
  "a session %j that is not there is an error before anything is spent",
  async (resume) => {
    const model = await world.play([]);
    const runtime = world.runtime();
    await expect(runtime.run(specOf(), "go", { resume })).rejects.toMatchObject({
      code: "runtime/unknown-session",
      hint: expect.stringContaining("manifest.json"),
    });
    expect([model.calls, runtime.results]).toEqual([[], []]);
  },
);

test("a fork gets a session of its own and leaves the original alone", async () => {
  const model = await world.play([reply("one"), reply("two"), reply("three")]);
  const runtime = world.runtime();
  const first = await runtime.run(specOf(), "first");
  const branch = await runtime.run(specOf(), "branch", { resume: first.sessionId ?? "", fork: true });
  await runtime.run(specOf(), "on", { resume: first.sessionId ?? "" });
  expect(branch.sessionId).not.toBe(first.sessionId);
  const texts = JSON.stringify(model.calls.at(-1)?.request?.messages);
  expect(texts).toContain("one");
  expect(texts).not.toContain("two");
});

describe("a human", () => {
  test("who interrupts is heard in the same session", async () => {
    const model = await world.play([toolCall("Bash", { command: patient }), reply("as you wish")]);
    const runtime = world.runtime();
    const result = await runtime.run(specOf(), "wait", {
      onEvent: ({ kind }) => {
        if (kind === "tool_call") setTimeout(() => runtime.interrupt("Do it in blue."), 300);
      },
    });
    expect(result).toMatchObject({ ok: true, text: "as you wish", attempts: 1, resumed: false });
    const prompt = model.calls.at(-1)?.request?.prompt;
    expect(prompt).toContain("Do it in blue.");
    expect(prompt).toContain(Runtime.INTERRUPT_NOTE.en);
  });

  test("who speaks while the turn ends is heard all the same", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    const runtime = world.runtime();
    const result = await runtime.run(specOf(), "go", {
      onEvent: ({ kind }) => {
        if (kind === "result" && model.calls.length === 1) runtime.interrupt("And blue.");
      },
    });
    expect(model.calls.at(-1)?.request?.prompt).toContain("And blue.");
    expect(result).toMatchObject({ ok: true, text: "one\n\ntwo", closing: "two" });
  });

  test("cannot interrupt what does not run", async () => {
    await world.play([]);
    expect(world.runtime().interrupt("hello?")).toBe(false);
  });

  test("who leaves ends every process of the step, and nothing new begins", async () => {
    const model = await world.play(() => toolCall("Bash", { command: "echo again" }));
    const runtime = world.runtime();
    const abort = new AbortController();
    let callsAtAbort = 0;
    const result = await runtime.run(specOf(), "wait", {
      signal: abort.signal,
      onEvent: ({ kind }) => {
        if (kind !== "tool_call" || abort.signal.aborted) return;
        callsAtAbort = model.calls.length;
        abort.abort();
      },
    });
    expect(result).toMatchObject({ ok: false, error: Runtime.INTERRUPTED });
    // By itself the CLI would go on for two seconds, about twenty calls.
    expect(model.calls.length - callsAtAbort).toBeLessThanOrEqual(1);
    expect(markedProcesses("FLOWER_RUN_DIR", runtime.runDir)).toEqual([]);
    expect(manifestRows(runtime)).toMatchObject([
      { error: Runtime.INTERRUPTED, session_id: result.sessionId },
    ]);
  });
});

test("a step in flight is in the books when a signal ends flower", async () => {
  await world.play([toolCall("Bash", { command: patient })]);
  const runtime = world.runtime();
  const abort = new AbortController();
  let rows: readonly Record<string, unknown>[] = [];
  await runtime.run(specOf(), "wait", {
    signal: abort.signal,
    onEvent: ({ kind }) => {
      if (kind !== "tool_call") return;
      runtime.rescue();
      rows = manifestRows(runtime);
      abort.abort("killed-by-signal");
    },
  });
  expect(rows).toMatchObject([{ step: "agent", ok: false, error: "killed-by-signal" }]);
  expect(manifestRows(runtime)).toEqual([expect.objectContaining({ error: "killed-by-signal" })]);
});

test("another model than the one that was asked for is told once", async () => {
  await world.play(() => reply({ text: "done", model: "some-cheaper-model" }));
  const runtime = world.runtime();
  for (const prompt of ["one", "two"])
    await runtime.run(specOf(), prompt, { onEvent: (event) => world.events.push(event) });
  const told = world.events.filter(
    ({ payload }) => "subtype" in payload && payload.subtype === "model_differs",
  );
  expect(told.map(({ text }) => text)).toEqual([
    "asked for the model claude-sonnet-4-5, was served some-cheaper-model",
  ]);
});

test("a main thread cannot use a hands-on tool that only its workers have", async () => {
  const model = await world.play([toolCall("Bash", { command: "touch made-by-me" }), reply("done")]);
  const coder = { description: "works", prompt: "You work.", tools: ["Bash"] };
  await world.runtime().run(specOf({ name: "reader", allowedTools: ["Read"], agents: { coder } }), "go");
  const [denied] = model.calls.at(-1)?.request?.history() ?? [];
  expect(denied).toMatchObject({ tool: "Bash", isError: true });
  expect(denied?.text).toContain("reader does not have Bash");
});

test("a coordinator is walled although there is no workbench", async () => {
  const model = await world.play([
    toolCall("Bash", { command: "touch made-by-me" }),
    toolCall("Bash", { command: "git status" }),
    reply("fine"),
  ]);
  const coder = { description: "works", prompt: "You work.", tools: ["Bash", "Write"] };
  const spec = specOf({
    allowedTools: ["Agent", "Bash"],
    agents: { coder },
    delegateOnly: true,
    glance: true,
  });
  await world.runtime().run(spec, "go");
  const [denied, glanced] = model.calls.at(-1)?.request?.history() ?? [];
  expect(denied).toMatchObject({ isError: true });
  expect(denied?.text).toContain("Agent");
  expect(glanced?.text).toContain("not a git repository");
});

test("what the CLI says about a full context is known as an overflow", async () => {
  await world.play([promptTooLong({ tokens: 210_000, max: 200_000 })]);
  const result = await world.runtime({ handoff: false }).run(specOf(), "go");
  expect(result.ok).toBe(false);
  expect(isOverflow(result.error ?? "")).toBe(true);
});
