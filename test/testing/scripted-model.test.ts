import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, test } from "vitest";
import {
  DEFAULT_USAGE,
  delay,
  drop,
  error,
  modelNotFound,
  overloaded,
  promptTooLong,
  rateLimited,
  reply,
  SCRIPTED_API_KEY,
  type Scenario,
  type ScriptedModel,
  type ScriptedModelOptions,
  serverError,
  stall,
  startScriptedModel,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import { ask, KEEP_ALIVE, until } from "./ask.ts";
import { manualClock } from "./manual-clock.ts";

const open: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(scenario: Scenario, options?: ScriptedModelOptions) {
  const model = await startScriptedModel(scenario, options);
  open.push(model);
  return model;
}

const FORMS = [
  ["streamed", { stream: true }],
  ["plain", { stream: false }],
] as const;

/** The API's own client, as a reader that we did not write. */
function client(model: ScriptedModel) {
  return new Anthropic({ baseURL: model.baseUrl, apiKey: "k", maxRetries: 0 });
}

const QUESTION = {
  model: "claude-x",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "hello" }],
};

describe("an answer, read by the API's own client", () => {
  const step = toolCall(
    "Bash",
    { command: "echo 花 🌻" },
    { text: "Let me see.", thinking: "Hm.", id: "toolu_7" },
  );
  const content = [
    { type: "thinking", thinking: "Hm." },
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "toolu_7", name: "Bash", input: { command: "echo 花 🌻" } },
  ];

  test("streamed and plain are the same message", async () => {
    const model = await start([step, step]);
    const streamed = await client(model).messages.stream(QUESTION).finalMessage();
    const plain = await client(model).messages.create(QUESTION);
    for (const message of [streamed, plain]) {
      expect(message).toMatchObject({
        role: "assistant",
        model: "claude-x",
        content,
        stop_reason: "tool_use",
        usage: { input_tokens: DEFAULT_USAGE.input, output_tokens: DEFAULT_USAGE.output },
      });
    }
    expect(model.calls.map((call) => call.request.stream)).toEqual([true, false]);
    model.assertComplete();
  });

  test("usage, stop reason and model are the script's", async () => {
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const model = await start([reply({ text: "x", usage, stopReason: "max_tokens", model: "another" })]);
    expect(await client(model).messages.stream(QUESTION).finalMessage()).toMatchObject({
      model: "another",
      stop_reason: "max_tokens",
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
    });
  });

  test("ids differ from answer to answer, and from model to model", async () => {
    const call = toolCall("Bash", {});
    const models = [await start([call, call]), await start([call, call])];
    const seen = new Set<string>();
    for (const model of [...models, ...models]) {
      const { data, request_id } = await client(model).messages.create(QUESTION).withResponse();
      const [block] = data.content;
      for (const id of [data.id, request_id, block?.type === "tool_use" ? block.id : ""]) seen.add(id ?? "");
    }
    expect(seen.size).toBe(12);
    for (const id of seen) expect(id).toMatch(/^(msg|req|toolu)_[0-9a-f]{24}$/);
  });

  test("randomness is the caller's", async () => {
    const model = await start([reply("x")], { random: (bytes) => "5f".repeat(bytes) });
    expect((await client(model).messages.create(QUESTION)).id).toBe(`msg_${"5f".repeat(12)}`);
  });
});

describe("errors", () => {
  test.each([
    [overloaded(), 529, "overloaded_error", /Overloaded/],
    [rateLimited(), 429, "rate_limit_error", /rate limit/],
    [serverError(), 500, "api_error", /Internal/],
    [unauthorized(), 401, "authentication_error", /x-api-key/],
    [
      promptTooLong({ tokens: 201, max: 200 }),
      400,
      "invalid_request_error",
      /^prompt is too long: 201 tokens > 200/,
    ],
    [modelNotFound("nope"), 404, "not_found_error", /^model: nope$/],
    [error(418), 418, "invalid_request_error", /scripted/],
    [error(502), 502, "api_error", /scripted/],
    [error(400, { type: "billing_error", message: "no money" }), 400, "billing_error", /^no money$/],
  ])("%o", async (step, status, type, message) => {
    for (const [, form] of FORMS) {
      const model = await start([step]);
      const response = await ask(model, { body: form });
      expect(response.status).toBe(status);
      const requestId = response.headers.get("request-id");
      expect(requestId).toMatch(/^req_/);
      expect(await response.json()).toEqual({
        type: "error",
        error: { type, message: expect.stringMatching(message) },
        request_id: requestId,
      });
      expect(model.calls[0]?.answered).toBe("error");
    }
  });

  test("carry retry-after and headers of the script", async () => {
    const model = await start([
      rateLimited({ retryAfterS: 7 }),
      error(503, { headers: { "x-should-retry": "false" } }),
    ]);
    expect((await ask(model)).headers.get("retry-after")).toBe("7");
    expect((await ask(model)).headers.get("x-should-retry")).toBe("false");
  });

  test("can come inside a stream whose status is spent; a plain request gets the true status", async () => {
    const model = await start(() => error(529, { message: "busy", inStream: true }));
    const streamed = await ask(model, { body: { stream: true } });
    expect(streamed.status).toBe(200);
    expect(await streamed.text()).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
    );
    expect((await ask(model)).status).toBe(529);
  });
});

/** What came before the connection broke, and that it broke. */
async function readUntilBroken(response: Response) {
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  } catch (thrown) {
    return { text, broken: thrown };
  }
  return { text, broken: undefined };
}

describe.each(FORMS)("cuts and silences, %s", (_name, body) => {
  const long = reply("a long text of which a half is sent");

  test("a drop before the headers sends nothing", async () => {
    const model = await start([drop({ when: "before-headers" })]);
    await expect(ask(model, { body })).rejects.toThrow("fetch failed");
    expect(model.calls).toMatchObject([{ answered: "drop", clientGone: false }]);
  });

  test("a drop in mid-stream sends a part", async () => {
    const model = await start([drop({ when: "mid-stream", after: long })]);
    const response = await ask(model, { body, headers: KEEP_ALIVE });
    expect(response.status).toBe(200);
    const { text, broken } = await readUntilBroken(response);
    expect(broken).toBeInstanceOf(Error);
    expect(text).not.toBe("");
    expect(text).not.toMatch(/message_stop|"usage":\{[^}]*\}\}$/);
    expect(model.calls).toMatchObject([{ answered: "drop", clientGone: false }]);
  });

  test.each(["before-headers", "mid-stream"] as const)(
    "a stall %s lasts until the client goes, which is noticed",
    async (when) => {
      const clock = manualClock();
      const model = await start([stall({ when, step: long }), reply("next")], { clock });
      const leave = new AbortController();
      const asked = ask(model, { body, signal: leave.signal });
      if (when === "mid-stream") expect((await asked).status).toBe(200);
      await until(() => model.calls[0]?.answered === "stall");
      expect(clock.sleeping).toEqual([]);
      leave.abort();
      await (when === "mid-stream" ? asked.then((response) => response.text()) : asked).catch(
        () => undefined,
      );
      await until(() => model.calls[0]?.clientGone === true);
      expect((await ask(model, { body })).status).toBe(200);
    },
  );

  test.each(["before-headers", "mid-stream"] as const)(
    "a stall %s with an end goes on after it",
    async (when) => {
      const clock = manualClock();
      const model = await start([stall({ when, ms: 90_000, step: long }), long], {
        clock,
        random: (bytes) => "0".repeat(2 * bytes),
      });
      const asked = ask(model, { body });
      await clock.untilSleeping();
      expect(clock.sleeping).toEqual([90_000]);
      clock.wake();
      expect(await (await asked).text()).toBe(await (await ask(model, { body })).text());
      expect(model.calls[0]).toMatchObject({ answered: "stall", clientGone: false });
    },
  );

  test("a delay comes before the first byte of whatever follows", async () => {
    const clock = manualClock(1_700_000_000_000);
    const model = await start([delay(5_000, overloaded())], { clock });
    const asked = ask(model, { body });
    await clock.untilSleeping();
    expect(clock.sleeping).toEqual([5_000]);
    clock.wake();
    expect((await asked).status).toBe(529);
    expect(model.calls).toMatchObject([{ answered: "error", at: 1_700_000_000_000 }]);
  });

  test("a client that goes during a delay is noticed, and leaves no timer behind", async () => {
    const clock = manualClock();
    const model = await start([delay(3_600_000, reply("too late"))], { clock });
    const leave = new AbortController();
    const asked = ask(model, { body, signal: leave.signal });
    await clock.untilSleeping();
    leave.abort();
    await expect(asked).rejects.toThrow();
    await until(() => model.calls[0]?.clientGone === true);
    expect(clock.sleeping).toEqual([]);
  });
});

test("pauses come between the blocks of a stream, not before the first", async () => {
  const clock = manualClock();
  const step = toolCall("Bash", {}, { text: "t", thinking: "h", betweenBlocksMs: 250 });
  const model = await start([step, step], { clock });
  const asked = ask(model, { body: { stream: true } });
  for (let pause = 0; pause < 2; pause += 1) {
    await clock.untilSleeping();
    expect(clock.sleeping).toEqual([250]);
    clock.wake();
  }
  expect(await (await asked).text()).toContain("message_stop");
  expect(await (await ask(model)).json()).toMatchObject({ stop_reason: "tool_use" });
});

describe("what the CLI asks for itself", () => {
  const PROBE = { body: { max_tokens: 1 }, prompt: "Hi" };
  const COUNT = { path: "/v1/messages/count_tokens?beta=true" };
  const SUMMARY = { prompt: "Describe your most recent action in 3-5 words using present tense (-ing)" };

  test("is answered without using up the script", async () => {
    const model = await start([reply("the turn")]);
    expect(await (await ask(model, PROBE)).json()).toMatchObject({ content: [{ text: "Hi" }] });
    expect(await (await ask(model, COUNT)).json()).toEqual({ input_tokens: expect.any(Number) });
    expect(await (await ask(model, SUMMARY)).json()).toMatchObject({
      content: [{ text: "Working on the task" }],
    });
    expect(model.calls.map((call) => call.answered)).toEqual(["default", "default", "default"]);
    expect(await (await ask(model)).json()).toMatchObject({ content: [{ text: "the turn" }] });
    model.assertComplete();
  });

  test("can be answered by the caller, who may leave some to the default", async () => {
    const sideCalls: ScriptedModelOptions["sideCalls"] = (request) => {
      if (request.kind === "count-tokens") return reply({ usage: { input: 1234 } });
      return request.kind === "probe" ? modelNotFound(request.model) : undefined;
    };
    const model = await start([], { sideCalls });
    expect(await (await ask(model, COUNT)).json()).toEqual({ input_tokens: 1234 });
    expect((await ask(model, PROBE)).status).toBe(404);
    expect((await ask(model, SUMMARY)).status).toBe(200);
    model.assertComplete();
  });

  test("is unexpected when the caller's function throws", async () => {
    const model = await start([], {
      sideCalls: () => {
        throw new Error("not this");
      },
    });
    expect((await ask(model, PROBE)).status).toBe(400);
    expect(() => model.assertComplete()).toThrow(/call 1 \(probe\), main, "Hi": `sideCalls` threw: not this/);
  });
});

describe("the record", () => {
  test("holds every call in order, frozen", async () => {
    const model = await start([reply("a"), overloaded()]);
    await ask(model, { prompt: "first" });
    const before = model.calls;
    await ask(model, { prompt: "second", headers: { "x-api-key": "s3cret" } });
    expect(before).toHaveLength(1);
    expect(model.calls).toMatchObject([
      { request: { index: 0, prompt: "first" }, answered: "reply", clientGone: false },
      { request: { index: 1, prompt: "second" }, answered: "error", clientGone: false },
    ]);
    expect(Object.isFrozen(model.calls) && model.calls.every((call) => Object.isFrozen(call))).toBe(true);
    expect(JSON.stringify(model.calls)).not.toContain("s3cret");
    expect(model.calls[1]?.request.credentialIs("s3cret")).toBe(true);
  });

  test("holds other paths too; only the greeting is there", async () => {
    const model = await start([]);
    const greeting = await fetch(`${model.baseUrl}/api/hello`, { method: "HEAD" });
    const other = await fetch(`${model.baseUrl}/v1/models`);
    expect([greeting.status, other.status]).toEqual([200, 404]);
    expect(await other.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
    expect(model.otherRequests).toEqual([
      { method: "HEAD", path: "/api/hello", status: 200, problem: undefined },
      { method: "GET", path: "/v1/models", status: 404, problem: undefined },
    ]);
    expect(model.calls).toEqual([]);
    model.assertComplete();
  });

  test("a body that is no request is refused and named", async () => {
    const model = await start([]);
    const url = `${model.baseUrl}/v1/messages`;
    expect((await fetch(url, { method: "POST", body: "{" })).status).toBe(400);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect(() => model.assertComplete()).toThrow(
      /unexpected calls:\n {2}\/v1\/messages: a body that is no Messages API request/,
    );
  });

  test("a body of more than 64 MB is refused and named", async () => {
    const model = await start([]);
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, " ");
    const response = await fetch(`${model.baseUrl}/v1/messages`, { method: "POST", body });
    expect(response.status).toBe(413);
    expect(() => model.assertComplete()).toThrow(/a body of more than 67108864 bytes/);
  });
});

describe("the server", () => {
  test("refuses connections and accepts them again under the same address", async () => {
    const model = await start([reply("a"), reply("b")]);
    await ask(model);
    await model.refuse();
    await model.refuse();
    await expect(ask(model)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    await model.accept();
    await model.accept();
    expect((await ask(model)).status).toBe(200);
    model.assertComplete();
  });

  test("cuts open calls when it refuses; their client did not go", async () => {
    const model = await start([stall()]);
    const response = await ask(model, { body: { stream: true }, headers: KEEP_ALIVE });
    await model.refuse();
    expect((await readUntilBroken(response)).broken).toBeInstanceOf(Error);
    expect(model.calls).toMatchObject([{ answered: "stall", clientGone: false }]);
  });

  test("closes at once, with calls waiting, and leaves no timer behind", async () => {
    const clock = manualClock();
    const model = await start(
      (request) =>
        request.prompt === "delay" ? delay(1_000, reply("x")) : new Promise<undefined>(() => undefined),
      { clock },
    );
    const asked = [ask(model, { prompt: "delay" }), ask(model, { prompt: "hang" })];
    await clock.untilSleeping();
    await until(() => model.calls.length === 2);
    const answers = Promise.allSettled(asked);
    await model.close();
    await model.close();
    expect(await answers).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    expect(clock.sleeping).toEqual([]);
  });

  test("tells a responder that its client has gone", async () => {
    let told: unknown;
    const model = await start(
      (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            told = signal.aborted;
            resolve(undefined);
          });
        }),
    );
    const leave = new AbortController();
    const asked = ask(model, { signal: leave.signal });
    await until(() => model.calls.length === 1);
    leave.abort();
    await expect(asked).rejects.toThrow();
    await until(() => told === true);
    expect(model.calls).toMatchObject([{ answered: "pending", clientGone: true }]);
    model.assertComplete();
  });

  test("says so when its port is taken", async () => {
    const model = await start([]);
    const port = Number(new URL(model.baseUrl).port);
    await expect(startScriptedModel([], { port })).rejects.toMatchObject({
      code: "testing/cannot-listen",
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });

  test("hands out an environment that leads to it and to nobody else", async () => {
    const model = await start([]);
    expect(model.env({ configDir: "/c", path: "/bin" })).toEqual({
      PATH: "/bin",
      HOME: "/c",
      CLAUDE_CONFIG_DIR: "/c",
      ANTHROPIC_BASE_URL: model.baseUrl,
      ANTHROPIC_API_KEY: SCRIPTED_API_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    });
    const other = { configDir: "/c", path: "/bin", home: "/h", extra: { DISABLE_TELEMETRY: "0", MORE: "x" } };
    expect(model.env(other)).toMatchObject({ HOME: "/h", DISABLE_TELEMETRY: "0", MORE: "x" });
  });
});
