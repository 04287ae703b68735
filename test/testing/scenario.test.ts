import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  delay,
  drop,
  isMain,
  isSubagent,
  overloaded,
  reply,
  route,
  type Scenario,
  type ScriptedModel,
  ScriptedModelError,
  stall,
  startScriptedModel,
  toolCall,
} from "../../src/testing/index.ts";
import { ask } from "./ask.ts";

const open: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(scenario: Scenario) {
  const model = await startScriptedModel(scenario);
  open.push(model);
  return model;
}

const answerSchema = z.union([
  z.object({ content: z.tuple([z.object({ text: z.string() })]) }).transform((body) => body.content[0].text),
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
]);

/** The text of each answer, or the message of its error. */
function texts(responses: readonly Promise<Response>[]) {
  return Promise.all(responses.map(async (response) => answerSchema.parse(await (await response).json())));
}

/** The error of `assertComplete`, which must throw. */
function incompleteness(model: ScriptedModel): ScriptedModelError {
  try {
    model.assertComplete();
  } catch (thrown) {
    if (thrown instanceof ScriptedModelError) return thrown;
    throw thrown;
  }
  throw new Error("the model is complete");
}

const SUBAGENT = { "x-claude-code-agent-id": "a1" };

describe("a list of steps", () => {
  test("is played in order, one step a call, and is complete at its end", async () => {
    const model = await start([
      reply("one"),
      (request) => reply(`you said ${request.prompt}`),
      reply("three"),
    ]);
    expect(await texts([ask(model)])).toEqual(["one"]);
    expect(await texts([ask(model, { prompt: "two" })])).toEqual(["you said two"]);
    expect(await texts([ask(model)])).toEqual(["three"]);
    model.assertComplete();
  });

  test("gives each of many calls at once a step of its own", async () => {
    const steps = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? reply(`${n}`) : async () => reply(`${n}`),
    );
    const model = await start(steps);
    const answers = await texts(steps.map(() => ask(model)));
    expect(answers.toSorted((a, b) => Number(a) - Number(b))).toEqual(steps.map((_, n) => `${n}`));
    model.assertComplete();
  });

  test("can be used by two models: each has its own place in it", async () => {
    const steps = [reply("one"), reply("two")];
    const [a, b] = [await start(steps), await start(steps)];
    expect(await texts([ask(a), ask(b)])).toEqual(["one", "one"]);
  });

  test("names what is left over", async () => {
    const model = await start([
      reply("used"),
      reply("a text that is far too long to be quoted as a whole in one line of a report"),
      toolCall("Bash", { command: "x" }),
      overloaded(),
      drop({ when: "mid-stream" }),
      stall({ when: "before-headers" }),
      delay(50, reply("late")),
      () => reply("made up"),
    ]);
    await ask(model);
    const found = incompleteness(model);
    expect(found.code).toBe("testing/incomplete");
    expect(found.unexpectedCalls).toEqual([]);
    expect(found.leftOverSteps).toEqual([
      'the script, step 2 of 8: reply "a text that is far too long to be quoted as a whole in one l…"',
      "the script, step 3 of 8: reply calling Bash",
      "the script, step 4 of 8: error 529 overloaded_error",
      "the script, step 5 of 8: drop mid-stream",
      "the script, step 6 of 8: stall before-headers",
      'the script, step 7 of 8: delay of 50 ms, then reply "late"',
      "the script, step 8 of 8: a responder",
    ]);
    expect(found.message).toBe(
      [
        "the run did not follow the script",
        "steps left over:",
        ...found.leftOverSteps.map((s) => `  ${s}`),
      ].join("\n"),
    );
  });

  test("does not answer a call beyond its end, and names it", async () => {
    const model = await start([reply("one")]);
    await ask(model);
    const response = await ask(model, { prompt: "and\nnow?", headers: SUBAGENT });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: 'unexpected call 2, subagent a1, "and now?": the script has no step left (it had 1)',
      },
    });
    expect(incompleteness(model).unexpectedCalls).toEqual([
      'call 2, subagent a1, "and now?": the script has no step left (it had 1)',
    ]);
    expect(model.calls[1]).toMatchObject({
      answered: "unexpected",
      reason: "the script has no step left (it had 1)",
    });
  });
});

describe("a function", () => {
  test("answers every call, and may wait", async () => {
    const model = await start(async (request) => reply(`${request.index}`));
    expect(await texts([ask(model)])).toEqual(["0"]);
    expect(await texts([ask(model)])).toEqual(["1"]);
    model.assertComplete();
  });

  test("that returns nothing, or throws, makes the call unexpected", async () => {
    const model = await start((request) => {
      if (request.prompt === "throw") throw new Error("no idea");
      return undefined;
    });
    expect(await texts([ask(model, { prompt: "throw" })])).toEqual([
      'unexpected call 1, main, "throw": the scenario threw: no idea',
    ]);
    await ask(model, { prompt: "nothing" });
    expect(incompleteness(model).unexpectedCalls).toEqual([
      'call 1, main, "throw": the scenario threw: no idea',
      'call 2, main, "nothing": the scenario has no answer to it',
    ]);
  });
});

describe("routes", () => {
  test("are told apart, each with its own place", async () => {
    const model = await start(
      route([
        { name: "lead", when: isMain, steps: [reply("lead 1"), reply("lead 2")] },
        { name: "coder", when: isSubagent, respond: (request) => reply(`coder ${request.prompt}`) },
      ]),
    );
    expect(await texts([ask(model)])).toEqual(["lead 1"]);
    expect(await texts([ask(model, { headers: SUBAGENT, prompt: "x" })])).toEqual(["coder x"]);
    expect(incompleteness(model).leftOverSteps).toEqual(['"lead", step 2 of 2: reply "lead 2"']);
    expect(await texts([ask(model)])).toEqual(["lead 2"]);
    model.assertComplete();
  });

  test("the first that matches takes the call, also when it has nothing left", async () => {
    const model = await start(
      route([
        { name: "first", when: () => true, steps: [] },
        { name: "second", when: () => true, steps: [reply("never")] },
      ]),
    );
    await ask(model);
    const found = incompleteness(model);
    expect(found.unexpectedCalls).toEqual(['call 1, main, "hello": "first" has no step left (it had 0)']);
    expect(found.leftOverSteps).toEqual(['"second", step 1 of 1: reply "never"']);
  });

  test("no match and a failing `when` are unexpected", async () => {
    const none = await start(route([{ name: "lead", when: isSubagent, steps: [] }]));
    await ask(none);
    expect(incompleteness(none).unexpectedCalls).toEqual(['call 1, main, "hello": no route matches it']);
    const broken = await start(
      route([
        {
          name: "lead",
          when: () => {
            throw new Error("cannot tell");
          },
          steps: [],
        },
      ]),
    );
    await ask(broken);
    expect(incompleteness(broken).unexpectedCalls).toEqual([
      'call 1, main, "hello": the `when` of a route threw: cannot tell',
    ]);
  });
});

test("steps are frozen, and keep nothing of what they were made from", () => {
  const input = { command: "ls" };
  const step = toolCall("Bash", input, { text: "look", id: "toolu_1" });
  input.command = "rm";
  expect(step).toMatchObject({
    text: "look",
    toolCalls: [{ id: "toolu_1", name: "Bash", input: { command: "ls" } }],
  });
  expect(Object.isFrozen(step.toolCalls[0]?.input)).toBe(true);
});
