import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, errorIn, until } from "./client.ts";
import {
  type Answerer,
  apiError,
  event,
  failing,
  type GatewayWorld,
  gatewayWorld,
  inTurn,
  json,
  REAL_KEY,
  SSE,
  START,
  STREAM,
  stream,
  type WorldOptions,
} from "./world.ts";

let world: GatewayWorld;

beforeEach(() => {
  world = gatewayWorld();
});

afterEach(() => world.end());

async function play(answer: Answerer, options?: WorldOptions) {
  const upstream = await world.upstream(answer);
  const opened = await world.gateway(upstream.url, options);
  return { upstream, ...opened, ask: () => ask(opened.gateway.url, { key: opened.lane.key }) };
}

function phases() {
  return world.notices.map(({ phase, attempt, waitMs }) => [phase, attempt, waitMs]);
}

describe("a request is held and sent again", () => {
  test.each<[string, Answerer, string]>([
    ["500", failing(500, "api_error"), "500 api_error: no"],
    ["502", failing(502, "api_error"), "502 api_error: no"],
    ["503", failing(503, "api_error"), "503 api_error: no"],
    ["529", failing(529, "overloaded_error"), "529 overloaded_error: no"],
    ["408", failing(408, "timeout_error"), "408 timeout_error: no"],
    ["429", failing(429, "rate_limit_error"), "429 rate_limit_error: no"],
    [
      "a page of a proxy",
      ({ response }) => response.writeHead(503).end("<h1>\u001b[2Jbad</h1>"),
      "503: <h1>bad</h1>",
    ],
    [
      "an error as first event",
      ({ response }) =>
        stream(response, event("error", apiError("overloaded_error", "Overloaded") as object)),
      "529 overloaded_error: Overloaded",
    ],
    [
      "api_error as first event, in two parts",
      ({ response }) => {
        const text = event("error", apiError("api_error", "Oh") as object);
        response.writeHead(200, SSE);
        response.write(text.slice(0, 20));
        setTimeout(() => response.end(text.slice(20)), 20);
      },
      "500 api_error: Oh",
    ],
    [
      "rate_limit_error as first event",
      ({ response }) => stream(response, event("error", apiError("rate_limit_error", "Slow") as object)),
      "429 rate_limit_error: Slow",
    ],
    ["a cut before the headers", ({ response }) => response.destroy(), "ECONNRESET 127.0.0.1:PORT"],
    [
      "a cut after the headers",
      ({ response }) => {
        response.writeHead(200, SSE);
        response.flushHeaders();
        setTimeout(() => response.destroy(), 20);
      },
      "ECONNRESET 127.0.0.1:PORT",
    ],
    [
      "a cut within the first event",
      ({ response }) => {
        response.writeHead(200, SSE);
        response.write(START.slice(0, 40));
        setTimeout(() => response.destroy(), 20);
      },
      "ECONNRESET 127.0.0.1:PORT",
    ],
    ["a stream that ends empty", ({ response }) => stream(response, ""), "ECONNRESET 127.0.0.1:PORT"],
  ])("%s", async (_name, failure, error) => {
    const { upstream, ask, lane } = await play(inTurn(failure, failure));
    const reply = await ask();
    expect([reply.status, reply.body.toString("utf8"), reply.isCut]).toEqual([200, STREAM, false]);
    expect(upstream.seen).toHaveLength(3);
    expect(new Set(upstream.seen.map((seen) => seen.body.toString("utf8"))).size).toBe(1);
    expect(phases()).toEqual([
      ["waiting", 1, 4_000],
      ["waiting", 2, 8_000],
      ["online", 2, null],
    ]);
    const told = error.replace("PORT", String(upstream.port));
    expect(world.notices.map((notice) => notice.error)).toEqual([told, told, told]);
    expect(world.notices[0]).toMatchObject({
      sinceMs: 1_000_000,
      agentId: null,
      text: `${told}: the request is sent again in 4 s (attempt 2)`,
    });
    expect(world.notices[2]?.text).toBe("the API answers again, after 12 s");
    expect(world.usages).toMatchObject([{ heldMs: 12_000, complete: true, status: 200 }]);
    expect(lane.lastError).toBeUndefined();
  });

  test("a plain answer that breaks before its first byte", async () => {
    const breaking: Answerer = ({ response }) => {
      response.writeHead(200, ["content-type", "application/json", "content-length", "10"]);
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
    };
    const { ask } = await play(inTurn(breaking));
    expect((await ask()).status).toBe(200);
    expect(phases()).toEqual([
      ["waiting", 1, 4_000],
      ["online", 1, null],
    ]);
  });

  test("an endpoint that is closed and comes back on the same port", async () => {
    let isUp = false;
    const upstream = await world.upstream(({ response }) => stream(response));
    await upstream.stop();
    const probed: string[] = [];
    const { gateway, lane } = await world.gateway(upstream.url, {
      resilience: {
        probe: async (host, port) => {
          probed.push(`${host}:${port}`);
          if (probed.length === 3) {
            await upstream.start();
            isUp = true;
          }
          return isUp;
        },
      },
    });
    // Only the first of the three probes tells; the clock has to be moved on for the second pause.
    const asking = ask(gateway.url, { key: lane.key });
    await until(() => probed.length === 2);
    await until(() => world.clock.sleeping > 1);
    world.clock.advance(15_000);
    const reply = await asking;
    expect(reply.status).toBe(200);
    expect(probed).toEqual(Array(3).fill(`127.0.0.1:${upstream.port}`));
    expect(phases()).toEqual([
      ["lost", 1, null],
      ["waiting", 1, 4_000],
      ["online", 1, null],
    ]);
    expect(world.notices[0]?.error).toBe(`ECONNREFUSED 127.0.0.1:${upstream.port}`);
    expect(world.notices[0]?.text).toContain(
      "the API cannot be reached; the request is kept until it can (60 min",
    );
  });

  test("a server that answers is not probed", async () => {
    let probes = 0;
    const probe = async (): Promise<boolean> => {
      probes += 1;
      return true;
    };
    const { ask } = await play(inTurn(failing(500, "api_error")), { resilience: { probe } });
    await ask();
    expect(probes).toBe(0);
  });

  test("a name that does not resolve is connection trouble", async () => {
    const { gateway, lane } = await world.gateway("http://nobody.invalid:8080", {
      resilience: { maxOfflineWaitMs: 0 },
    });
    const reply = await ask(gateway.url, { key: lane.key });
    expect(reply.status).toBe(502);
    expect(lane.lastError).toMatch(/^(ENOTFOUND|EAI_AGAIN) nobody\.invalid:8080$/);
  });
});

describe("an answer that is not taken", () => {
  test("lets go of its connection, however long the server would go on", async () => {
    const endless: Answerer = ({ response }) => {
      response.writeHead(200, SSE);
      response.write(event("error", apiError("overloaded_error", "Overloaded") as object));
    };
    const { ask, upstream } = await play(inTurn(endless));
    expect((await ask()).status).toBe(200);
    await until(() => upstream.gone === 1);
    expect(world.clock.sleeping).toBe(0);
  });
});

describe("how long a pause takes", () => {
  test.each([
    ["longer than ours: the server's", ["retry-after", "30"], 30_000],
    ["in milliseconds", ["retry-after-ms", "5500", "retry-after", "9"], 5_500],
    ["as a date", ["retry-after", new Date(1_000_000 + 60_000).toUTCString()], 60_000],
    ["shorter than ours: ours", ["retry-after", "1"], 4_000],
    ["not to be understood: ours", ["retry-after", "later"], 4_000],
  ])("retry-after %s", async (_name, headers, waitMs) => {
    const { ask } = await play(inTurn(failing(429, "rate_limit_error", headers)));
    expect((await ask()).status).toBe(200);
    expect(phases()[0]).toEqual(["waiting", 1, waitMs]);
  });

  test("nothing is sent before the pause is over", async () => {
    const { ask, upstream } = await play(inTurn(failing(529, "overloaded_error")), { isQuick: false });
    const asking = ask();
    await until(() => world.notices.length === 1);
    world.clock.advance(3_999);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(upstream.seen).toHaveLength(1);
    world.clock.advance(1);
    expect((await asking).status).toBe(200);
  });
});

describe("giving up", () => {
  test("after maxOfflineWaitMs the last true status and body are told, with a word against retries", async () => {
    let count = 0;
    const { ask, upstream, lane } = await play(
      ({ response }) => {
        count += 1;
        const headers = ["request-id", `req_${count}`, "X-Should-Retry", "true"];
        json(response, 529, apiError("overloaded_error", `Overloaded ${count}`), headers);
      },
      { resilience: { maxOfflineWaitMs: 20_000 } },
    );
    const reply = await ask();
    // 4 s, 8 s, and the 8 s that are left.
    expect(phases()).toEqual([
      ["waiting", 1, 4_000],
      ["waiting", 2, 8_000],
      ["waiting", 3, 8_000],
      ["gave_up", 4, null],
    ]);
    expect(upstream.seen).toHaveLength(4);
    expect(reply.status).toBe(529);
    expect(JSON.parse(reply.body.toString("utf8"))).toEqual(apiError("overloaded_error", "Overloaded 4"));
    expect(reply.headers).toMatchObject({ "x-should-retry": "false", "request-id": "req_4" });
    expect(world.notices.at(-1)?.text).toBe("529 overloaded_error: Overloaded 4: gave up after 20 s");
    expect(lane.lastError).toBe("529 overloaded_error: Overloaded 4");
    expect(world.usages).toMatchObject([
      { status: 529, complete: false, heldMs: 20_000, requestId: "req_4", model: "claude-asked" },
    ]);
  });

  test("an endpoint that stays away: 502 in the form of the API", async () => {
    const upstream = await world.upstream(() => undefined);
    await upstream.stop();
    const { gateway, lane } = await world.gateway(upstream.url, {
      resilience: { maxOfflineWaitMs: 10_000, probe: async () => false },
    });
    const reply = await ask(gateway.url, { key: lane.key });
    expect(phases()).toEqual([
      ["lost", 1, null],
      ["gave_up", 1, null],
    ]);
    expect(reply.status).toBe(502);
    expect(reply.headers["x-should-retry"]).toBe("false");
    expect(errorIn(reply)).toEqual({
      type: "api_error",
      message: `the gateway of flower got no answer from the API: ECONNREFUSED 127.0.0.1:${upstream.port}`,
    });
  });

  test("an error as first event is told as the status it stands for", async () => {
    const { ask } = await play(
      ({ response }) =>
        stream(response, event("error", apiError("overloaded_error", "Overloaded") as object)),
      { resilience: { maxOfflineWaitMs: 0 } },
    );
    const reply = await ask();
    expect([reply.status, reply.headers["content-type"]]).toEqual([529, "application/json"]);
    expect(errorIn(reply)).toEqual({ type: "overloaded_error", message: "Overloaded" });
  });

  test("a retry-after longer than what is left is answered at once", async () => {
    const { ask, upstream } = await play(failing(503, "api_error", ["retry-after", "7200"]));
    const reply = await ask();
    expect([reply.status, reply.headers["retry-after"], reply.headers["x-should-retry"]]).toEqual([
      503,
      "7200",
      "false",
    ]);
    expect(upstream.seen).toHaveLength(1);
    expect(phases()).toEqual([["gave_up", 1, null]]);
  });

  test("without a limit it waits for as long as it takes", async () => {
    const failures = Array<Answerer>(40).fill(failing(500, "api_error"));
    const { ask } = await play(inTurn(...failures), { resilience: { maxOfflineWaitMs: Infinity } });
    expect((await ask()).status).toBe(200);
    expect(world.notices.at(-1)).toMatchObject({ phase: "online", attempt: 40 });
  });

  test("a failure that the server itself calls final is passed on", async () => {
    const { ask, upstream } = await play(failing(429, "rate_limit_error", ["x-should-retry", "false"]));
    expect((await ask()).status).toBe(429);
    expect(upstream.seen).toHaveLength(1);
    expect(world.notices).toEqual([]);
  });
});

describe("a usage limit", () => {
  /** The clock of this world shows 00:16:40 UTC on 1 January 1970; header values have ten digits. */
  const START_MS = 1_800_000_000_000;
  const hours = (count: number): string => String(START_MS / 1000 + count * 3_600);
  const limited = (resetS: string, status = "rejected", more: string[] = []): Answerer =>
    failing(429, "rate_limit_error", [
      "anthropic-ratelimit-unified-status",
      status,
      "anthropic-ratelimit-unified-reset",
      resetS,
      ...more,
    ]);
  const utc = { timeZone: "UTC" };
  beforeEach(() => world.clock.advance(START_MS - 1_000_000));

  test.each([
    ["the header's", limited(hours(4))],
    [
      "although the server says that a retry at once is in vain",
      limited(hours(4), "rejected", ["x-should-retry", "false"]),
    ],
    ["a long retry-after's", failing(429, "rate_limit_error", ["retry-after", "14400"])],
    [
      "the words'",
      ((seen) =>
        json(
          seen.response,
          429,
          apiError("rate_limit_error", "limit reached|1800014400"),
        )) satisfies Answerer,
    ],
  ])("is waited for until it is lifted, longer than an outage: %s", async (_name, failure) => {
    const { ask, upstream } = await play(inTurn(failure), { resilience: utc });
    expect((await ask()).status).toBe(200);
    expect(upstream.seen).toHaveLength(2);
    const [told] = world.notices;
    expect(told).toMatchObject({ phase: "waiting", text: expect.stringContaining("waiting until 12:00") });
    expect(told?.waitMs).toBeGreaterThan(4 * 3_600_000);
    expect(told?.waitMs).toBeLessThan(4 * 3_600_000 + 70_000);
  });

  test("an outage right after it is waited for from its own beginning", async () => {
    const failures = Array<Answerer>(3).fill(failing(500, "api_error"));
    const { ask } = await play(inTurn(limited(hours(4)), ...failures), { resilience: utc });
    expect((await ask()).status).toBe(200);
  });

  test("that is put off again and again is given up in the end", async () => {
    const { ask, upstream } = await play(
      ({ response }) => {
        const reset = ["anthropic-ratelimit-unified-reset", String(world.clock.now() / 1000 + 3_600)];
        json(response, 429, apiError("rate_limit_error", "no"), reset);
      },
      { resilience: utc },
    );
    expect((await ask()).status).toBe(429);
    expect(world.notices.at(-1)?.phase).toBe("gave_up");
    expect(upstream.seen.length).toBeGreaterThan(24);
  });

  test("that is lifted only after days is answered at once, with the time", async () => {
    const { ask, upstream } = await play(limited(hours(72)), { resilience: utc });
    const reply = await ask();
    expect([reply.status, reply.headers["x-should-retry"]]).toEqual([429, "false"]);
    expect(upstream.seen).toHaveLength(1);
    expect(world.notices).toMatchObject([
      { phase: "gave_up", text: expect.stringMatching(/lifted at 2027-01-18 08:00, .*at most 24 h/) },
    ]);
  });

  test.each([
    ["a request that was refused for another reason", limited(hours(4), "allowed")],
    ["a limit that is lifted already", limited(hours(-1))],
    ["a header that is no time", limited("soon")],
  ])("%s is none", async (_name, failure) => {
    const { ask } = await play(inTurn(failure), { resilience: utc });
    await ask();
    expect(phases()).toEqual([
      ["waiting", 1, 4_000],
      ["online", 1, null],
    ]);
  });

  test("nothing is waited for when resilience is off", async () => {
    const { ask } = await play(limited(hours(4)), { resilience: { enabled: false } });
    expect((await ask()).status).toBe(429);
    expect(world.notices).toEqual([]);
  });
});

describe("what is not held", () => {
  test.each([400, 401, 402, 403, 404, 409, 413, 422])(
    "%i goes through at once, byte for byte",
    async (status) => {
      const body = '{ "type":"error",\n "error":{"type":"some_error","message":"x"} }';
      const { ask, upstream, lane } = await play(({ response }) =>
        response.writeHead(status, ["content-type", "application/json", "X-A", "1", "x-a", "2"]).end(body),
      );
      const reply = await ask();
      expect([reply.status, reply.body.toString("utf8")]).toEqual([status, body]);
      // A refused key is refused for good, and the CLI would ask ten times.
      expect(reply.headers["x-should-retry"]).toBe(status === 401 ? "false" : undefined);
      expect(upstream.seen).toHaveLength(1);
      expect(world.notices).toEqual([]);
      expect(lane.lastError).toBe(`${status} some_error: x`);
      expect(world.usages).toMatchObject([{ status, tokens: { input: 0, output: 0 } }]);
    },
  );

  test.each([400, 401, 500])("%i without the credential that it repeats", async (status) => {
    const said = `the key ${REAL_KEY} is wrong, aä中`;
    const { ask } = await play(({ response }) => response.writeHead(status).end(said), {
      resilience: { maxOfflineWaitMs: 0 },
    });
    expect((await ask()).body.toString("utf8")).toBe("the key [credential] is wrong, aä中");
  });

  test("an error as first event that waiting cannot mend", async () => {
    const text = event("error", apiError("invalid_request_error", "no") as object);
    const { ask } = await play(({ response }) => stream(response, text));
    const reply = await ask();
    expect([reply.status, reply.body.toString("utf8")]).toEqual([200, text]);
    expect(world.notices).toEqual([]);
  });

  test.each<[string, Answerer, number]>([
    ["529", failing(529, "overloaded_error"), 529],
    ["a cut connection", ({ response }) => response.destroy(), 502],
  ])("%s when resilience is off, and the client may retry", async (_name, failure, status) => {
    const { ask, upstream } = await play(inTurn(failure), { resilience: { enabled: false } });
    const reply = await ask();
    expect([reply.status, reply.headers["x-should-retry"]]).toEqual([status, undefined]);
    expect(upstream.seen).toHaveLength(1);
    expect(world.notices).toEqual([]);
  });
});

describe("what is told", () => {
  test("no credential, no header, at most 200 characters of the upstream's words, no control characters", async () => {
    const said = `${"x".repeat(150)}\u0007\n${REAL_KEY} and sk-custom-value ${"y".repeat(300)}`;
    const { ask, lane } = await play(
      ({ response }) => json(response, 503, apiError("api\u001b_error", said), ["x-hidden", "header-value"]),
      {
        resilience: { maxOfflineWaitMs: 5_000 },
        env: { ANTHROPIC_CUSTOM_HEADERS: "x-mine: sk-custom-value" },
      },
    );
    await ask();
    const told = JSON.stringify([world.notices, world.usages, lane.lastError]);
    // JSON writes a control character as \u00xx.
    expect(told).not.toMatch(/sk-real|sk-custom|header-value|flower-|\\u00/);
    expect(lane.lastError).toContain("[credential]");
    expect(lane.lastError?.length).toBeLessThanOrEqual("503 api_error: ".length + 200);
  });

  test("in Chinese too", async () => {
    const { ask } = await play(inTurn(failing(529, "overloaded_error")), { options: { lang: "zh" } });
    await ask();
    expect(world.notices.map((notice) => notice.text)).toEqual([
      "529 overloaded_error: no:4 秒后重发(第 2 次)",
      "API 恢复应答,共等了 4 秒",
    ]);
  });

  test("which subagent waits", async () => {
    const { gateway, lane } = await play(inTurn(failing(529, "overloaded_error")));
    await ask(gateway.url, { key: lane.key, headers: ["X-Claude-Code-Agent-Id", "a1b2"] });
    expect(world.notices.map((notice) => notice.agentId)).toEqual(["a1b2", "a1b2"]);
    expect(world.usages[0]?.agentId).toBe("a1b2");
  });
});
