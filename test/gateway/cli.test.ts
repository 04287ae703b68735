import { InMemorySessionStore, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { laneEnvironment } from "../../src/gateway/child-environment.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../../src/gateway/gateway.ts";
import type { HoldNotice } from "../../src/gateway/hold.ts";
import type { LaneOptions, RequestUsage } from "../../src/gateway/lane.ts";
import { Resilience, type ResilienceOptions } from "../../src/resilience/resilience.ts";
import {
  drop,
  error,
  isMain,
  isSubagent,
  overloaded,
  rateLimited,
  reply,
  route,
  type Scenario,
  type ScriptEntry,
  type ScriptedModel,
  serverError,
  stall,
  startScriptedModel,
  toolCall,
} from "../../src/testing/index.ts";
import { type CliWorld, makeWorld, type QueryRequest, runQuery } from "../support/cli-world.ts";

const REAL_KEY = "sk-real-0123456789";

let world: CliWorld;
let model: ScriptedModel;
let gateway: Gateway;
let notices: HoldNotice[];
let usages: RequestUsage[];

beforeEach(() => {
  world = makeWorld();
  notices = [];
  usages = [];
});

afterEach(async () => {
  await world.cleanup();
  gateway.close();
  await model.close();
});

interface Play {
  readonly resilience?: ResilienceOptions;
  readonly gateway?: Partial<GatewayOptions>;
  readonly lane?: LaneOptions;
  readonly request?: Partial<QueryRequest>;
}

/** One query of the real CLI through a gateway, with all that it left behind. */
async function play(scenario: Scenario, options: Play = {}) {
  model = await startScriptedModel(scenario);
  gateway = await startGateway({
    env: { ANTHROPIC_BASE_URL: model.baseUrl, ANTHROPIC_API_KEY: REAL_KEY },
    resilience: new Resilience({
      baseDelayMs: 20,
      maxDelayMs: 50,
      probeIntervalMs: 50,
      ...options.resilience,
    }),
    lang: "en",
    clock: systemClock,
    ...options.gateway,
  });
  const lane = gateway.open({
    ...options.lane,
    onHold: (notice) => {
      notices.push(notice);
      options.lane?.onHold?.(notice);
    },
    onUsage: (usage) => void usages.push(usage),
  });
  const store = new InMemorySessionStore();
  const outcome = await runQuery(world, model, {
    prompt: "go on",
    ...options.request,
    options: { sessionStore: store, ...options.request?.options },
    env: {
      ...options.request?.env,
      ...defined(laneEnvironment(options.request?.env ?? {}, { url: gateway.url, key: lane.key })),
      CLAUDE_CODE_MAX_RETRIES: "10",
    },
  });
  const { messages } = outcome;
  return {
    ...outcome,
    lane,
    store,
    messages,
    shape: messages.flatMap(shapeOf),
    rows: await rowsOf(store, messages),
  };
}

/** The scripted model hands out no variable that would have to be taken away. */
function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A message without what differs from run to run; heartbeats come as time passes. */
function shapeOf(message: SDKMessage): string[] {
  if (message.type === "tool_progress") return [];
  const subtype = "subtype" in message ? `/${String(message.subtype)}` : "";
  if (message.type === "assistant") {
    return [
      `assistant ${message.message.content.map((block) => block.type).join()} ${message.message.model}`,
    ];
  }
  return [`${message.type}${subtype}`];
}

/**
 * The kinds of the entries that the session store was given, main thread and subagents. Only those with a uuid: the
 * CLI's own bookkeeping (`last-prompt`, `atis-latch`, …) is written as time passes.
 */
async function rowsOf(store: InMemorySessionStore, messages: readonly SDKMessage[]): Promise<string[]> {
  const sessionId = messages.find((message) => message.type === "system")?.session_id ?? "";
  const projectKey = world.workspace.replaceAll(/[^a-zA-Z0-9]/g, "-");
  const subpaths = await store.listSubkeys({ projectKey, sessionId });
  const threads = await Promise.all(
    [undefined, ...subpaths].map((subpath) =>
      store.load({ projectKey, sessionId, ...(subpath === undefined ? {} : { subpath }) }),
    ),
  );
  const entries = threads.flatMap((entries) => entries ?? []).filter((entry) => "uuid" in entry);
  expect(entries.length).toBeGreaterThan(3);
  return entries.map((entry) => {
    const { type, subtype, attachment } = entry as {
      type: string;
      subtype?: string;
      attachment?: { type: string };
    };
    return [type, subtype, attachment?.type].filter((part) => part !== undefined).join(" ");
  });
}

const look = toolCall("Bash", { command: "echo looked", description: "look" });

let whole: { readonly shape: string[]; readonly rows: string[] } | undefined;

/** The same conversation without any failure, played once: what every other one is compared to. */
async function undisturbed() {
  if (whole !== undefined) return whole;
  const { shape, rows } = await play([look, reply("all done")]);
  await world.cleanup();
  gateway.close();
  await model.close();
  world = makeWorld();
  usages = [];
  whole = { shape, rows };
  return whole;
}

describe("failures that the CLI never learns of", () => {
  test.each<[string, ScriptEntry, Partial<GatewayOptions>]>([
    ["429 with retry-after", rateLimited({ retryAfterS: 1 }), {}],
    ["500", serverError(), {}],
    ["529", overloaded(), {}],
    ["a cut before the headers", drop({ when: "before-headers" }), {}],
    ["an error as first event", error(529, { inStream: true }), {}],
    ["a silence before the first byte", stall({ when: "before-headers" }), { firstByteTimeoutMs: 300 }],
  ])("%s", async (_name, failure, options) => {
    const expected = await undisturbed();
    const { result, error, shape, rows } = await play([look, failure, reply("all done")], {
      gateway: options,
    });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ is_error: false, result: "all done", num_turns: 2 });
    expect(shape).toEqual(expected.shape);
    expect(rows).toEqual(expected.rows);
    expect(notices.map((notice) => notice.phase)).toEqual(["waiting", "online"]);
    expect(usages).toMatchObject([{ complete: true }, { complete: true }]);
    model.assertComplete();
  });

  test("an endpoint that is away for some seconds and comes back on the same port", async () => {
    const expected = await undisturbed();
    const away: ScriptEntry = async () => {
      setTimeout(() => void model.accept(), 3_000);
      await model.refuse();
      return undefined;
    };
    const { result, shape, rows } = await play([look, away, reply("all done")]);
    expect(result).toMatchObject({ is_error: false, result: "all done", num_turns: 2 });
    expect(shape).toEqual(expected.shape);
    expect(rows).toEqual(expected.rows);
    expect(notices.map((notice) => notice.phase)).toContain("lost");
    expect(notices.at(-1)?.phase).toBe("online");
  });
});

describe("an outage in the middle of a foreground subagent's work", () => {
  const scenario = (away: readonly ScriptEntry[]): Scenario =>
    route([
      {
        name: "main",
        when: isMain,
        steps: [
          toolCall("Agent", { description: "part", prompt: "do the part", subagent_type: "general-purpose" }),
          reply("both done"),
        ],
      },
      { name: "sub", when: isSubagent, steps: [look, ...away, reply("part done")] },
    ]);

  test("leaves no retry, no synthetic message, the same turns; usage names the subagent", async () => {
    const whole = await play(scenario([]));
    const expected = { shape: whole.shape, rows: whole.rows, turns: whole.result?.num_turns };
    await world.cleanup();
    gateway.close();
    await model.close();
    world = makeWorld();
    usages = [];
    const { result, shape, rows, messages } = await play(
      scenario([
        async () => {
          setTimeout(() => void model.accept(), 3_000);
          await model.refuse();
          return undefined;
        },
      ]),
    );
    expect(result).toMatchObject({ is_error: false, result: "both done", num_turns: expected.turns });
    expect(shape).toEqual(expected.shape);
    expect(rows).toEqual(expected.rows);
    expect(JSON.stringify(messages)).not.toContain("<synthetic>");
    expect(JSON.stringify(messages)).not.toContain("subagent_retry");
    const taskId = messages.flatMap((message) =>
      message.type === "system" && message.subtype === "task_started" ? [message.task_id] : [],
    )[0];
    expect(taskId).toBeDefined();
    expect(usages.map((usage) => usage.agentId)).toEqual([null, taskId, taskId, null]);
    expect(new Set(notices.map((notice) => notice.agentId))).toEqual(new Set([taskId]));
  });
});

describe("what the CLI does learn of", () => {
  test("a stream cut in the middle once: its own retry goes through", async () => {
    const half = reply("a text of which only one half was sent");
    const { result, shape, rows, messages } = await play([
      look,
      drop({ when: "mid-stream", after: half }),
      reply("all done"),
    ]);
    expect(result).toMatchObject({ is_error: false, result: "all done" });
    expect(JSON.stringify(messages)).not.toContain("only one half");
    expect({ shape, rows }).toMatchInlineSnapshot(`
      {
        "rows": [
          "user",
          "attachment environment",
          "attachment model",
          "attachment agent_listing_delta",
          "attachment total_tokens_reminder",
          "attachment session_context",
          "attachment date",
          "attachment remote_session_change",
          "attachment prompt_snapshot",
          "assistant",
          "user",
          "attachment prompt_snapshot",
          "attachment total_tokens_reminder",
          "system api_error",
          "assistant",
        ],
        "shape": [
          "system/init",
          "assistant tool_use claude-sonnet-4-5",
          "user",
          "system/api_retry",
          "assistant text claude-sonnet-4-5",
          "result/success",
        ],
      }
    `);
    expect(usages.map((usage) => usage.complete)).toEqual([true, false, true]);
  });

  test("giving up: the true status, at once, without its ten retries", async () => {
    const { result, messages, lane } = await play([look, overloaded()], {
      resilience: { maxOfflineWaitMs: 0 },
    });
    expect(result).toMatchObject({ is_error: true, api_error_status: 529 });
    expect(messages.some((message) => message.type === "system" && message.subtype === "api_retry")).toBe(
      false,
    );
    expect(model.calls).toHaveLength(2);
    expect(lane.lastError).toBe("529 overloaded_error: Overloaded");
  });

  test("giving up on an endpoint that is away", async () => {
    const { result, messages } = await play(
      [
        look,
        async () => {
          await model.refuse();
          return undefined;
        },
      ],
      { resilience: { maxOfflineWaitMs: 300 } },
    );
    expect(result).toMatchObject({ is_error: true, api_error_status: 502 });
    expect((result as { result: string }).result).toMatch(
      /got no answer from the API: ECONN(RESET|REFUSED) 127/,
    );
    expect(messages.some((message) => message.type === "system" && message.subtype === "api_retry")).toBe(
      false,
    );
  });

  test("a spent budget: shown in clear, not retried, not sent", async () => {
    const { result, messages } = await play([look, reply("never")], {
      lane: { refuse: () => (usages.length > 0 ? "flower: the budget of 5 dollars is spent" : undefined) },
    });
    expect(result).toMatchObject({
      is_error: true,
      api_error_status: 402,
      result: "API Error: 402 flower: the budget of 5 dollars is spent",
    });
    expect(messages.some((message) => message.type === "system" && message.subtype === "api_retry")).toBe(
      false,
    );
    expect(model.calls).toHaveLength(1);
  });
});

describe("what the gateway keeps and measures", () => {
  test("the real key reaches the API and never the environment of a tool", async () => {
    const { lane } = await play([
      toolCall("Bash", {
        command: "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a '^ANTHROPIC'",
      }),
      reply("all done"),
    ]);
    const printed = model.calls[1]?.request.toolResults[0]?.text ?? "";
    expect(printed).toContain("CLAUDE_CONFIG_DIR");
    expect(printed).toContain(lane.key);
    expect(printed).not.toContain(REAL_KEY);
    expect(model.calls.map((call) => call.request.credentialIs(REAL_KEY))).toEqual([true, true]);
  });

  test("a proxy in the child's environment is not asked for the way to the gateway", async () => {
    const dead = "http://127.0.0.1:9";
    const base = { HTTP_PROXY: dead, HTTPS_PROXY: dead, ALL_PROXY: dead, NO_PROXY: "example.com" };
    const { result } = await play([reply("all done")], { request: { env: base } });
    expect(result).toMatchObject({ is_error: false, result: "all done" });
  });

  test("tokens add up to what the CLI counts itself", async () => {
    const usage = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44 };
    const { result } = await play([
      toolCall("Bash", { command: "echo looked", description: "look" }, { usage }),
      reply({ text: "all done", usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } }),
    ]);
    expect(usages.map(({ tokens }) => tokens)).toEqual([
      { input: 11, output: 22, cacheRead: 33, cacheWrite5m: 44, cacheWrite1h: 0 },
      { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 0 },
    ]);
    expect(result?.usage).toMatchObject({
      input_tokens: 12,
      output_tokens: 24,
      cache_read_input_tokens: 36,
      cache_creation_input_tokens: 48,
    });
    expect(usages.map((one) => [one.model, one.agentId, one.status])).toEqual([
      ["claude-sonnet-4-5", null, 200],
      ["claude-sonnet-4-5", null, 200],
    ]);
  });
});
