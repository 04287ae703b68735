import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FlowEnd, runFlow } from "../../src/cli/run-flow.ts";
import type { Ask } from "../../src/human/ask.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { reply, stall } from "../../src/testing/index.ts";
import type { Context } from "../../src/workflow/context.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { type FakeTerminal, fakeTerminal, KEYS } from "../support/fake-terminal.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

const { enter, ctrlC, ctrlD } = KEYS;

let world: RunWorld;
let terminal: FakeTerminal;
let channel: HumanChannel;

beforeEach(async () => {
  world = makeRunWorld();
  terminal = fakeTerminal();
  channel = new HumanChannel({ timeoutMs: null });
  await world.play(() => reply("unexpected"));
});

afterEach(() => world.end());

/** Something that a test waits for, or holds back. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open: () => open() };
}

/** A step that only asks, as the goal guard does between two turns: no CLI runs while it waits. */
function asking(ask: (context: Context) => Promise<unknown>): Step {
  return {
    name: "asking",
    spec: specOf(),
    prompt: "",
    when: async (context) => {
      await ask(context);
      return false;
    },
  };
}

function start(...steps: readonly Step[]): Promise<FlowEnd> {
  const flow = new Workflow(steps, { channel, continuous: false });
  return runFlow({ terminal, runtime: world.runtime(), flow, verbose: false });
}

describe("a person at the terminal", () => {
  test("answers by number, by word, and not at all", async () => {
    const asked: Ask[] = [];
    const run = start(
      asking(async (context) => {
        for (const question of ["First?", "Second?", "Third?"]) {
          asked.push(await channel.ask(question, ["red", "blue"], { signal: context._signal }));
        }
      }),
    );
    for (const [question, line] of [
      ["First?", "2"],
      ["Second?", "green, rather"],
      ["Third?", ""],
    ] as const) {
      await terminal.shows(question);
      terminal.type(line, enter);
    }
    expect((await run).exitCode).toBe(0);
    expect(asked.map(({ state, answer }) => [state, answer])).toEqual([
      ["answered", "blue"],
      ["answered", "green, rather"],
      ["declined", null],
    ]);
    expect(terminal.shown).toContain("type the number of an option");
    expect(terminal.shown).toContain("question ended: skipped");
  });

  test("answers too when the output goes into a pipe", async () => {
    terminal = fakeTerminal({ outputIsTTY: false });
    let answer: string | null = null;
    const run = start(
      asking(async () => {
        ({ answer } = await channel.ask("Which?", ["red", "blue"]));
      }),
    );
    await terminal.shows("Which?");
    terminal.type("1\n");
    expect((await run).exitCode).toBe(0);
    expect(answer).toBe("red");
    expect(terminal.shown).not.toContain("\u001b");
  });

  test("says something unasked, or with Ctrl-C while no turn runs, and both wait in the inbox", async () => {
    const { opened, open } = latch();
    const run = start(asking(() => opened));
    terminal.type("use metric units", enter);
    await terminal.shows("your words wait in the inbox");
    terminal.type(ctrlC);
    await terminal.shows("Enter interrupts with these words");
    terminal.type("and round up", enter);
    await terminal.shows("your words wait in the inbox", 2);
    await terminal.typeCtrlCAgain();
    await terminal.shows("Enter interrupts with these words", 2);
    // An empty line goes on: nothing is said, and the next Ctrl-C asks anew.
    terminal.type(enter);
    await terminal.typeCtrlCAgain();
    await terminal.shows("Enter interrupts with these words", 3);
    terminal.type(enter);
    open();
    expect((await run).exitCode).toBe(0);
    expect(channel.mail.map(({ text }) => text)).toEqual(["use metric units", "and round up"]);
  });

  test("is told when nobody reads what is typed", async () => {
    const { opened, open } = latch();
    const flow = new Workflow([asking(() => opened)], { continuous: false });
    const run = runFlow({ terminal, runtime: world.runtime(), flow, verbose: false });
    terminal.type("hello?", enter);
    await terminal.shows("nobody reads that now");
    open();
    await run;
  });

  test("leaves with a second Ctrl-C, also while a question waits between two turns", async () => {
    const run = start(asking((context) => channel.ask("Which?", [], { signal: context._signal })));
    await terminal.shows("Which?");
    terminal.type(ctrlC);
    await terminal.typeCtrlCAgain();
    expect(await run).toEqual({ exitCode: 130, context: undefined });
    expect(terminal.complained).toBe("");
    expect(terminal.shown).toContain("the books are written");
  });

  test("who ends the input is not waited for, and this is said once", async () => {
    let state = "";
    const run = start(
      asking(async () => {
        ({ state } = await channel.ask("Which?"));
      }),
    );
    await terminal.shows("Which?");
    terminal.type(ctrlD);
    expect((await run).exitCode).toBe(0);
    expect(state).toBe("timeout");
    expect(terminal.shown.split("The input has ended")).toHaveLength(2);
  });

  test("interrupts the running turn with words, then leaves for good", async () => {
    const [first, second] = [latch(), latch()];
    await world.play((request) => {
      if (request.prompt.includes("use blue")) return reply("blue it is");
      (request.prompt.includes("do one") ? first : second).open();
      return stall();
    });
    const step = (name: string): Step => ({ name, spec: specOf(), prompt: `do ${name}` });
    const run = start(step("one"), step("two"));
    await first.opened;
    terminal.type(ctrlC);
    await terminal.shows("Enter interrupts with these words");
    terminal.type("use blue", enter);
    await terminal.shows("blue it is");
    await second.opened;
    await terminal.typeCtrlCAgain();
    await terminal.typeCtrlCAgain();
    const { exitCode, context } = await run;
    expect(exitCode).toBe(130);
    expect(terminal.complained).toBe("");
    const runtime = context?._runtime;
    expect(runtime && manifestRows(runtime).map((row) => [row["step"], row["ok"], row["error"]])).toEqual([
      ["one", true, null],
      ["two", false, "interrupted-by-human"],
    ]);
  });
});

test("a reader that goes away ends the run as a hang-up does, and is written to no more", async () => {
  const run = start(asking((context) => channel.ask("Which?", [], { signal: context._signal })));
  await terminal.shows("Which?");
  terminal.output.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  const before = terminal.shown;
  expect((await run).exitCode).toBe(129);
  expect(terminal.shown).toBe(before);
});

test("what went wrong on the terminal's side is told at the end, each thing once", async () => {
  channel.onEvent = () => {
    throw new Error("the log is full");
  };
  await start(
    asking(async () => {
      for (const text of ["a", "b"]) channel.send(text);
    }),
  );
  expect(terminal.shown.split("the log is full")).toHaveLength(2);
});
