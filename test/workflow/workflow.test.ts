import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HumanChannel } from "../../src/human/human-channel.ts";
import type { Lang } from "../../src/lang/lang.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { overloaded, reply } from "../../src/testing/index.ts";
import type { Context } from "../../src/workflow/context.ts";
import { Lineage } from "../../src/workflow/lineage.ts";
import { type Step, StepAbort } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  spec: specOf(),
  prompt: `do ${name}`,
  ...more,
});
const rows = (runtime: Runtime): unknown[] => manifestRows(runtime).map((row) => row["step"]);

async function run(steps: readonly Step[], runtime: Runtime): Promise<Context> {
  return new Workflow(steps).run(runtime, { onEvent: (event) => world.events.push(event) });
}

test("what a step gives is what later steps see under its name", async () => {
  const model = await world.play([reply("raw words"), reply("second"), reply("third")]);
  const context = await run(
    [
      step("first", { reduce: (result) => result.text.toUpperCase() }),
      step("second", { prompt: (seen) => `build on ${String(seen["first"])}` }),
      step("never", { when: () => false }),
      step("third", { when: async () => true }),
    ],
    world.runtime(),
  );
  expect(context).toMatchObject({ first: "RAW WORDS", second: "second", third: "third" });
  expect(context["never"]).toBeUndefined();
  expect(model.calls[1]?.request?.prompt).toBe("build on RAW WORDS");
  const steps = world.events.flatMap((event) => (event.kind === "step" ? [event.payload] : []));
  expect(steps).toEqual([
    { index: 0, total: 4, resumed: false, woke: 0 },
    { index: 1, total: 4, resumed: false, woke: 0 },
    { index: 3, total: 4, resumed: false, woke: 0 },
  ]);
});

describe("a gate", () => {
  test("that rejects starts the step over, under a label of its own", async () => {
    const model = await world.play([reply("bad"), reply("good")]);
    const runtime = world.runtime();
    const context = await run(
      [step("write", { retries: 1, gate: (result) => result.text === "good" })],
      runtime,
    );
    expect(context["write"]).toBe("good");
    expect(rows(runtime)).toEqual(["write", "write#retry1"]);
    expect(model.calls[1]?.request?.messages.filter(({ role }) => role === "assistant")).toEqual([]);
  });

  test("with words for the rejected session sends it back", async () => {
    const model = await world.play([reply("bad"), reply("good")]);
    const runtime = world.runtime();
    const context = await run(
      [
        step("write", {
          retries: 2,
          gate: async (result) => result.text === "good",
          onReject: () => "Not good.",
        }),
      ],
      runtime,
    );
    expect(rows(runtime)).toEqual(["write", "write#round2"]);
    expect(model.calls[1]?.request?.prompt).toBe("Not good.");
    expect(runtime.results[0]?.sessionId).toBe(runtime.results[1]?.sessionId);
    expect(context._lineage?.steps).toEqual({ write: runtime.results[0]?.sessionId });
  });

  test("is called once per attempt, never for a failure, and without our ear on sessions", async () => {
    await world.play([reply("one"), reply("two")]);
    const runtime = world.runtime();
    const heard: unknown[] = [];
    await run(
      [
        step("write", {
          retries: 1,
          gate: (result) => {
            heard.push([result.step, runtime.onSession]);
            return false;
          },
        }),
      ],
      runtime,
    );
    expect(heard).toEqual([
      ["write", undefined],
      ["write#retry1", undefined],
    ]);
    await world.play(() => overloaded());
    const failing = world.runtime({ resilience: false });
    const context = await run([step("fail", { gate: () => expect.unreachable() })], failing);
    expect(context._failed_at).toBe("fail");
  });

  test("may stop the workflow at once", async () => {
    await world.play([reply("one")]);
    const runtime = world.runtime();
    const stop = (): never => {
      throw new StepAbort("another round will not help");
    };
    const context = await run([step("write", { retries: 5, gate: stop }), step("after")], runtime);
    expect(context).toMatchObject({ _aborted: "another round will not help", _failed_at: "write" });
    expect(rows(runtime)).toEqual(["write"]);
  });
});

describe("what a function of a step throws", () => {
  const fault = new Error("a fault of the user's own");
  const fail = (): never => {
    throw fault;
  };

  const faulty: readonly [string, Partial<Step>][] = [
    ["when", { when: fail }],
    ["prompt", { prompt: fail }],
    ["gate", { gate: fail }],
    ["reduce", { reduce: fail }],
    ["onReject", { gate: () => false, retries: 1, onReject: fail }],
  ];

  test.each(faulty)("in %s ends the run with it, and leaves nothing wired", async (_name, more) => {
    await world.play(() => reply("one"));
    const runtime = world.runtime();
    const channel = new HumanChannel();
    const heard = (): void => undefined;
    runtime.onSession = heard;
    const flow = new Workflow([step("first", more)], { channel });
    await expect(flow.run(runtime, { onEvent: () => undefined })).rejects.toBe(fault);
    expect([runtime.onSession, channel.onEvent]).toEqual([heard, undefined]);
  });
});

describe("a step that fails", () => {
  const no = (): boolean => false;

  test("because the run was broken off leaves one row, whatever retries are left", async () => {
    await world.play([reply("half")]);
    const runtime = world.runtime();
    const leave = new AbortController();
    const gate = (): boolean => {
      leave.abort();
      return false;
    };
    const context = await new Workflow([step("work", { retries: 3, gate })]).run(runtime, {
      signal: leave.signal,
    });
    expect(context._failed_at).toBe("work");
    expect(rows(runtime)).toEqual(["work"]);
  });

  test("may be skipped or go on with what it said", async () => {
    await world.play([reply("half"), reply("half"), reply("end")]);
    const context = await run(
      [
        step("skipped", { gate: no, onFail: "skip" }),
        step("kept", { gate: no, onFail: "continue" }),
        step("end"),
      ],
      world.runtime(),
    );
    expect(context["skipped"]).toBeUndefined();
    expect(context["kept"]).toBe("half");
    expect(context["end"]).toBe("end");
    expect(Object.keys(context._results ?? {})).toEqual(["skipped", "kept", "end"]);
  });
});

describe("sessions", () => {
  test("can be gone on in, or branched off, by a later step", async () => {
    const model = await world.play([reply("one"), reply("two"), reply("three"), reply("four")]);
    const runtime = world.runtime();
    const context = await run(
      [step("a"), step("b", { resumeFrom: "a", fork: true }), step("c", { resumeFrom: "a" })],
      runtime,
    );
    expect(context._sessions?.["b"]).not.toBe(context._sessions?.["a"]);
    expect(context._sessions?.["c"]).toBe(context._sessions?.["a"]);
    const heard = JSON.stringify(model.calls[2]?.request?.messages);
    expect(heard).toContain("one");
    expect(heard).not.toContain("two");
  });

  test("of a step that was skipped cannot be gone on in", async () => {
    await world.play([]);
    const steps = [step("a", { when: () => false }), step("b", { resumeFrom: "a" })];
    await expect(run(steps, world.runtime())).rejects.toMatchObject({ code: "workflow/no-session" });
  });

  test("of two workflows at once in one runtime are told apart", async () => {
    await world.play(() => reply("done"));
    const runtime = world.runtime();
    await Promise.all([run([step("a")], runtime), run([step("b")], runtime)]);
    const steps = Lineage.open(runtime.runDir, world.workspace).steps;
    expect(steps).toEqual(
      Object.fromEntries(runtime.results.map((result) => [result.step, result.sessionId])),
    );
    expect(steps["a"]).not.toBe(steps["b"]);
  });

  test("that a step should go on in must exist", async () => {
    await world.play([]);
    await expect(run([step("b", { resumeFrom: "a" })], world.runtime())).rejects.toMatchObject({
      code: "workflow/no-session",
      message: expect.stringContaining('"a"'),
    });
  });

  test.each([
    ["en", "branch off"],
    ["zh", "分叉"],
  ] as const)("to branch off from must be named, or nothing begins (%s)", async (lang: Lang, words) => {
    const model = await world.play([]);
    const runtime = world.runtime({ lang });
    await expect(run([step("a"), step("b", { fork: true })], runtime)).rejects.toMatchObject({
      code: "workflow/needs-resume",
      message: expect.stringMatching(new RegExp(`b.*${words}`)),
      hint: expect.stringContaining("resumeFrom"),
    });
    expect(model.calls).toEqual([]);
    expect(world.events).toEqual([]);
  });

  test("are gone on in by the next process in the same directory", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    const steps = [step("work", { resumePrompt: "go on" })];
    const first = world.runtime();
    await run(steps, first);
    first.close();
    const second = world.runtime();
    const context = await run(steps, second);
    expect(context._woke).toBe(1);
    expect(second.results[0]?.sessionId).toBe(first.results[0]?.sessionId);
    expect(model.calls[1]?.request?.prompt).toBe("go on");
    expect(JSON.stringify(model.calls[1]?.request?.messages)).toContain("one");
    expect(manifestRows(second)).toHaveLength(2);
  });

  test("go along with a workspace that is moved", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    const steps = [step("work", { resumePrompt: "go on" })];
    const workspace = join(world.cli.dir, "before");
    const first = world.runtime({ workspace });
    await run(steps, first);
    first.close();
    const moved = join(world.cli.dir, "after");
    renameSync(workspace, moved);
    const second = world.runtime({ workspace: moved });
    const context = await run(steps, second);
    expect(context._woke).toBe(1);
    expect(second.results[0]?.sessionId).toBe(first.results[0]?.sessionId);
    expect(JSON.stringify(model.calls[1]?.request?.messages)).toContain("one");
    expect(second.notices).toEqual([]);
  });

  test("of a lost database are begun anew", async () => {
    await world.play([reply("one")]);
    const runtime = world.runtime();
    Lineage.open(runtime.runDir, world.workspace).remember("work", "00000000-0000-4000-8000-000000000000");
    const context = await run([step("work")], runtime);
    expect(context["work"]).toBe("one");
  });

  test("are forgotten by a workflow that is not continuous", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    const flow = new Workflow([step("work")], { continuous: false });
    await flow.run(world.runtime());
    await flow.run(world.runtime());
    expect(model.calls[1]?.request?.messages.filter(({ role }) => role === "assistant")).toEqual([]);
  });
});
