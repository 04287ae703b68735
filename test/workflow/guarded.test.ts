import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Goal } from "../../src/documents/goal.ts";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { PROMPTS } from "../../src/lang/prompts.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import {
  reply,
  route,
  type ScriptEntry,
  systemIncludes,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import { clarifyStep } from "../../src/workflow/clarify-step.ts";
import { BRIEF_KEY, GOAL_KEY, MISSING_KEY, ROUND_KEY, VERDICT_KEY } from "../../src/workflow/context.ts";
import { goalStep } from "../../src/workflow/goal-step.ts";
import type { Step } from "../../src/workflow/step.ts";
import { withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const BRIEF = `## Goal
A till.

## Acceptance criteria
It adds up.

## Boundaries
No network.

## Unknowns and assumptions
Prices are whole.
`;
const GOAL =
  "## Goal\nA till.\n\n## Checklist\n- It adds up.\n- It runs on a Mac. [unverifiable here: this is Linux]\n";
const verdict = (conclusion: string, reason = "I looked.", failed = "(empty)"): string =>
  `## Conclusion\n${conclusion}\n\n## Reason\n${reason}\n\n## Failed\n${failed}\n`;

const channel = (): HumanChannel => new HumanChannel({ timeoutMs: 0, lang: "en" });
const briefPath = (): string => join(world.workspace, "brief.md");
const goalPath = (): string => join(world.workspace, "goal.md");
const env = { ANTHROPIC_MODEL: MODEL };

async function run(...steps: Step[]) {
  const runtime = world.runtime({ env: world.env(env) });
  const context = await new Workflow(steps, { continuous: false }).run(runtime, {
    onEvent: (event) => world.events.push(event),
  });
  return { runtime, context };
}

describe("clarifying", () => {
  const clarifying = (more = {}): Step =>
    clarifyStep(channel(), { briefPath: briefPath(), prompt: "a till", ...more });

  test("freezes a complete brief, and gives on the brief instead of the reply", async () => {
    await world.play([
      toolCall("mcp__human__ask", { question: "Which currency?" }),
      reply(`Here it is.\n\n${BRIEF}\n\`\`\`js\nlet x;\n\`\`\``),
    ]);
    const { context } = await run(clarifying());
    expect(readFileSync(briefPath(), "utf8")).toContain("It adds up.");
    expect(context[BRIEF_KEY]?.complete()).toBe(true);
    expect(context["clarify"]).toBe(context[BRIEF_KEY]?.promptBlock());
    expect(String(context["clarify"])).not.toContain("let x");
  });

  test("sends an incomplete brief back into its session, naming what is missing", async () => {
    const model = await world.play([reply("## Goal\nA till.\n"), reply(BRIEF)]);
    const { context } = await run(clarifying({ retries: 1 }));
    expect(context._failed_at).toBeUndefined();
    expect(model.calls[1]?.request?.prompt).toContain(
      "Acceptance criteria, Boundaries, Unknowns and assumptions",
    );
  });

  test("that stays incomplete stops, and nothing is frozen", async () => {
    await world.play([reply("## Goal\nA till.\n")]);
    const { context } = await run(clarifying());
    expect(context).toMatchObject({ _failed_at: "clarify" });
    expect(context[MISSING_KEY]).toHaveLength(3);
    expect(existsSync(briefPath())).toBe(false);
  });

  test("keeps what the human said before the brief was there", async () => {
    const human = new HumanChannel({ timeoutMs: 0, lang: "en", amendPath: briefPath() });
    human.send("And it should be blue.");
    await world.play([reply(BRIEF)]);
    const { context } = await run(clarifyStep(human, { briefPath: briefPath(), prompt: "a till" }));
    expect(readFileSync(briefPath(), "utf8")).toContain("And it should be blue.");
    expect(String(context["clarify"])).toContain("And it should be blue.");
  });

  test("is skipped when a complete brief is on disk, but the brief is known", async () => {
    await world.play([]);
    writeFileSync(briefPath(), BRIEF);
    const { context } = await run(clarifying());
    expect(context[BRIEF_KEY]?.goal).toBe("A till.");
    expect(String(context["clarify"])).toContain("It adds up.");
  });
});

test("setting a goal freezes it and warns at once of what cannot be verified here", async () => {
  await world.play([reply(GOAL)]);
  const { context } = await run(goalStep(channel(), { goalPath: goalPath() }));
  expect(context[GOAL_KEY]?.checks).toHaveLength(2);
  expect(Goal.load(goalPath())?.complete()).toBe(true);
  const warnings = world.events.filter(({ kind, payload }) => kind === "task" && "unverifiable" in payload);
  expect(warnings.map(({ payload }) => payload)).toEqual([{ unverifiable: 1, total: 2, path: goalPath() }]);
});

test("a goal is set anew when its brief was written after it, and else stands", async () => {
  const write = (at: number) => {
    writeFileSync(briefPath(), BRIEF);
    writeFileSync(goalPath(), GOAL);
    utimesSync(goalPath(), 2000, 2000);
    utimesSync(briefPath(), at, at);
  };
  const set = goalStep(channel(), { goalPath: goalPath(), briefPath: briefPath() });
  write(2000);
  expect(await set.when?.({})).toBe(false);
  write(2001);
  expect(await set.when?.({})).toBe(true);
  expect(await goalStep(channel(), { goalPath: goalPath() }).when?.({})).toBe(false);
});

describe("a step under the goal guard", () => {
  const guarded = (channelOf = channel(), more = {}): Step =>
    withGoal({ name: "work", spec: specOf(), prompt: "build it" }, channelOf, {
      goalPath: goalPath(),
      ...more,
    });

  const play = (work: ScriptEntry[], judge: ScriptEntry[]) =>
    world.play(
      route([
        { name: "judge", when: systemIncludes(JUDGE_RULES.en), steps: judge },
        { name: "work", when: () => true, steps: work },
      ]),
    );

  beforeEach(() => writeFileSync(goalPath(), GOAL));

  test("is sent back with the verdict until a fresh judge is content", async () => {
    const model = await play(
      [reply("done"), reply("now really")],
      [reply(verdict("not yet", "It is off by one.", "- It adds up.")), reply(verdict("achieved"))],
    );
    const { runtime, context } = await run(guarded());
    expect(manifestRows(runtime).map((row) => row["step"])).toEqual([
      "work",
      "work·verdict#1",
      "work#round2",
      "work·verdict#2",
    ]);
    expect(context[VERDICT_KEY]?.achieved).toBe(true);
    expect(context[ROUND_KEY]).toBe(2);
    const [, firstVerdict, second, secondVerdict] = runtime.results;
    expect(second?.sessionId).toBe(runtime.results[0]?.sessionId);
    expect(firstVerdict?.sessionId).not.toBe(secondVerdict?.sessionId);
    expect(
      model.calls.find(({ request }) => request?.prompt.includes("off by one"))?.request?.history(),
    ).toEqual([]);
    model.assertComplete();
  });

  test("is judged by the judge's last reply, not by what it thought aloud on the way", async () => {
    await play(
      [reply("done")],
      [
        toolCall(
          "Read",
          { file_path: goalPath() },
          { text: "Conclusion: achieved\n\nNow the other checks." },
        ),
        reply(verdict("not yet", "It is off by one.")),
      ],
    );
    const { context } = await run(guarded(channel(), { rounds: 1 }));
    expect(context._failed_at).toBe("work");
    expect(context[VERDICT_KEY]).toMatchObject({ achieved: false, reason: "It is off by one." });
  });

  test("does not pass on a reply that is no verdict", async () => {
    await play([reply("done")], [reply("Looks fine to me!")]);
    const { context } = await run(guarded(channel(), { rounds: 1 }));
    expect(context._failed_at).toBe("work");
    expect(context[VERDICT_KEY]?.reason).toBe(`${PROMPTS.en.defaultReason}\n\nLooks fine to me!`);
  });

  test("stops when the judge cannot work at all", async () => {
    await play([reply("done")], [unauthorized(), unauthorized()]);
    const { context } = await run(guarded());
    expect(context._aborted).toContain("judge");
    expect(context[ROUND_KEY]).toBe(1);
  });

  test("stops when the goal is unreachable and nobody answers", async () => {
    await play([reply("done")], [reply(verdict("cannot be verified here", "There is no Mac."))]);
    const { context } = await run(guarded());
    expect(context._aborted).toContain("There is no Mac.");
  });

  test("passes when the human accepts what is unreachable", async () => {
    await play([reply("done")], [reply(verdict("unreachable"))]);
    const { context } = await run(guarded(answering(["1"])));
    expect(context._failed_at).toBeUndefined();
  });

  test("is judged by the goal that the human amends", async () => {
    const model = await play(
      [reply("done"), reply("again")],
      [reply(verdict("unreachable")), reply(verdict("achieved"))],
    );
    const { context } = await run(guarded(answering(["2", "The Mac is out."])));
    expect(context._failed_at).toBeUndefined();
    expect(readFileSync(goalPath(), "utf8")).toContain("The Mac is out.");
    expect(model.calls.at(-1)?.request?.prompt).toContain("The Mac is out.");
  });

  test("is told what the human decided beside the verdict, which stays the judge's own", async () => {
    const model = await play(
      [reply("done"), reply("again"), reply("and again")],
      [
        reply(verdict("unreachable", "There is no Mac.", "- It runs on a Mac.")),
        reply(verdict("not yet", "It is off by one.")),
        reply(verdict("unreachable", "Still no Mac.")),
      ],
    );
    const { context } = await run(guarded(answering(["2", "The Mac is out.", "1"])));
    const [, second = "", third = ""] = model.calls
      .map(({ request }) => request)
      .filter((request) => request !== undefined && !request.system.includes(JUDGE_RULES.en))
      .map((request) => request?.prompt);
    expect(second).toContain("There is no Mac.");
    expect(second).toContain("> The Mac is out.");
    expect(second).toContain(context[GOAL_KEY]?.promptBlock());
    expect(third).toContain("It is off by one.");
    expect(third).not.toContain("The Mac is out.");
    expect(context[VERDICT_KEY]).toMatchObject({ reason: "Still no Mac.", state: "unreachable" });
  });

  test("goes on with the words of a human who thinks that the judge is wrong", async () => {
    const model = await play(
      [reply("done"), reply("again")],
      [reply(verdict("unreachable")), reply(verdict("achieved"))],
    );
    await run(guarded(answering(["Look at the CI instead."])));
    expect(model.calls.some(({ request }) => request?.prompt.includes("Look at the CI instead."))).toBe(true);
  });

  test("is never waved through without a runtime", async () => {
    const gate = guarded().gate;
    await expect(gate?.({} as never, {})).rejects.toThrow(PROMPTS.en.abortNoRuntime);
  });
});

/** A channel with somebody behind it who gives these answers, one for each question. */
function answering(answers: readonly string[]): HumanChannel {
  const human = new HumanChannel({ lang: "en" });
  const rest = [...answers];
  human.onEvent = (event) => {
    if (event.kind === "ask" && event.payload.state === "asked") {
      const id = event.payload.id;
      queueMicrotask(() => human.answer(id, rest.shift() ?? ""));
    }
  };
  return human;
}
