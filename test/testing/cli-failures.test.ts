import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  delay,
  drop,
  error,
  modelNotFound,
  overloaded,
  promptTooLong,
  rateLimited,
  reply,
  type Scenario,
  type ScriptedModel,
  serverError,
  stall,
  startScriptedModel,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import {
  type CliWorld,
  makeWorld,
  type QueryOutcome,
  type QueryRequest,
  runQuery,
} from "../support/cli-world.ts";

let world: CliWorld;
let model: ScriptedModel | undefined;

beforeEach(() => {
  world = makeWorld();
});

afterEach(async () => {
  await world.cleanup();
  await model?.close();
});

async function play(scenario: Scenario, request: Partial<QueryRequest> = {}) {
  model = await startScriptedModel(scenario);
  const outcome = await runQuery(world, model, { prompt: "go on", ...request });
  return { ...outcome, model };
}

/** What the CLI told about its own retries: status and name of the error. */
function retries({ messages }: Pick<QueryOutcome, "messages">) {
  return messages.flatMap((message) =>
    message.type === "system" && message.subtype === "api_retry"
      ? [{ status: message.error_status, error: message.error, delayMs: message.retry_delay_ms }]
      : [],
  );
}

describe("failures the real CLI gets over", () => {
  test.each([
    ["529", overloaded(), { status: 529, error: "overloaded" }],
    ["500", serverError(), { status: 500, error: "server_error" }],
    ["a connection dropped before the headers", drop({ when: "before-headers" }), { status: null }],
  ])("%s once, then an answer", async (_name, failure, told) => {
    const { result, error, model, ...outcome } = await play([failure, reply("better now")]);
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ is_error: false, result: "better now" });
    expect(retries(outcome)).toMatchObject([told]);
    expect(model.calls.map((call) => call.answered)).toEqual([failure.kind, "reply"]);
    model.assertComplete();
  });

  test("429: the wait is at least what retry-after asks", async () => {
    const outcome = await play([rateLimited({ retryAfterS: 1 }), reply("better now")]);
    const [told] = retries(outcome);
    expect(told).toMatchObject({ status: 429, error: "rate_limit" });
    expect(told?.delayMs).toBeGreaterThanOrEqual(1_000);
    expect(outcome.result).toMatchObject({ is_error: false, result: "better now" });
  });

  test("a stream cut in the middle once: the half block is never seen", async () => {
    const half = reply("a text of which only one half was sent");
    const { result, messages, model } = await play([
      drop({ when: "mid-stream", after: half }),
      reply("whole"),
    ]);
    expect(result).toMatchObject({ is_error: false, result: "whole" });
    expect(JSON.stringify(messages)).not.toContain("only one half");
    model.assertComplete();
  });

  test("a stream cut in the middle every time: the same is asked again without a stream", async () => {
    const { result, model } = await play((request) =>
      request.stream ? drop({ when: "mid-stream" }) : reply("in one piece"),
    );
    expect(result).toMatchObject({ is_error: false, result: "in one piece" });
    expect(model.calls.map((call) => [call.request.stream, call.answered])).toEqual([
      [true, "drop"],
      [true, "drop"],
      [false, "reply"],
    ]);
  });

  test("an error event in a stream: the same is asked again", async () => {
    const { result, model } = await play([error(529, { inStream: true }), reply("better now")]);
    expect(result).toMatchObject({ is_error: false, result: "better now" });
    expect(model.calls.map((call) => call.answered)).toEqual(["error", "reply"]);
  });

  test("a stream that falls silent: the request is given up at the time-out and asked again", async () => {
    const { result, model } = await play([stall({ when: "before-headers" }), reply("awake again")], {
      env: { API_TIMEOUT_MS: "2000" },
    });
    expect(result).toMatchObject({ is_error: false, result: "awake again" });
    expect(model.calls.map((call) => [call.answered, call.clientGone])).toEqual([
      ["stall", true],
      ["reply", false],
    ]);
  });

  test("a silence in mid-stream that ends, and a late first byte: nothing is asked twice", async () => {
    const slow = toolCall("Bash", { command: "echo slow", description: "say" }, { text: "first" });
    const { result, model } = await play([
      stall({ ms: 400, step: slow }),
      delay(400, reply({ thinking: "hm", text: "patient", betweenBlocksMs: 300 })),
    ]);
    expect(result).toMatchObject({ is_error: false, result: "patient" });
    expect(model.calls).toHaveLength(2);
    model.assertComplete();
  });

  test("a connection that is refused until the model accepts again", async () => {
    model = await startScriptedModel([
      toolCall("Bash", { command: "echo before", description: "say" }),
      async () => {
        await model?.refuse();
        return undefined;
      },
      reply("back again"),
    ]);
    const scripted = model;
    const { result, ...outcome } = await runQuery(world, scripted, {
      prompt: "go on",
      env: { CLAUDE_CODE_MAX_RETRIES: "4" },
      // The first retry is told when the open call is cut, the second when a new connection was refused.
      onMessage: (message) => {
        if (message.type !== "system" || message.subtype !== "api_retry") return;
        if (message.attempt === 2) void scripted.accept();
      },
    });
    expect(result).toMatchObject({ is_error: false, result: "back again" });
    expect(retries(outcome).map((retry) => retry.status)).toEqual([null, null]);
    expect(scripted.calls.map((call) => call.answered)).toEqual(["reply", "pending", "reply"]);
    scripted.assertComplete();
  });

  test("a prompt that grew too long: the CLI compacts and goes on", async () => {
    const { result, model } = await play([
      toolCall("Bash", { command: "echo one", description: "one" }),
      promptTooLong({ tokens: 210_000, max: 200_000 }),
      (request) => reply(request.kind === "compaction" ? "<summary>one was said</summary>" : "not asked"),
      reply("shorter now"),
    ]);
    expect(result).toMatchObject({ is_error: false, result: "shorter now" });
    expect(model.calls.map((call) => call.request.kind)).toEqual(["turn", "turn", "compaction", "turn"]);
    model.assertComplete();
  });
});

describe("failures that end a run of the real CLI", () => {
  test.each([
    ["529", overloaded(), { api_error_status: 529, result: /Overloaded/i }],
    ["401", unauthorized(), { api_error_status: 401, result: /Invalid API key/ }],
    [
      "400, prompt too long",
      promptTooLong({ tokens: 210_000, max: 200_000 }),
      { result: /Prompt is too long/ },
    ],
    [
      "404, no such model",
      modelNotFound("nope"),
      { api_error_status: 404, result: /issue with the selected model/ },
    ],
    [
      "a dropped connection",
      drop({ when: "before-headers" }),
      { api_error_status: null, result: /API Error/ },
    ],
  ])("%s, every time", async (_name, failure, { result: text, ...fields }) => {
    const { result, error } = await play(() => failure, { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    expect(result).toMatchObject({ ...fields, is_error: true, result: expect.stringMatching(text) });
    expect(error).toBeInstanceOf(Error);
  });

  test("a refused connection", async () => {
    model = await startScriptedModel([]);
    await model.refuse();
    const { result } = await runQuery(world, model, {
      prompt: "go on",
      env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    expect(result).toMatchObject({ is_error: true, api_error_status: null });
    expect(model.calls).toEqual([]);
  });
});
