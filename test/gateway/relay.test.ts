import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, errorIn, until } from "./client.ts";
import {
  type Answerer,
  apiError,
  DELTA,
  event,
  type GatewayWorld,
  gatewayWorld,
  json,
  REAL_KEY,
  SSE,
  START,
  STREAM,
  stream,
  TEXT,
  type WorldOptions,
} from "./world.ts";

let world: GatewayWorld;

beforeEach(() => {
  world = gatewayWorld();
});

afterEach(() => world.end());

async function play(answer: Answerer, options?: WorldOptions) {
  const upstream = await world.upstream(answer);
  return { upstream, ...(await world.gateway(upstream.url, options)) };
}

const TOKENS = { input: 7, cacheRead: 20, cacheWrite5m: 4, cacheWrite1h: 8, output: 42 };

describe("what reaches the upstream", () => {
  test("the same method, path, query and body; the real credential instead of the lane's key", async () => {
    const { gateway, lane, upstream } = await play(({ response }) => stream(response), {
      env: { ANTHROPIC_AUTH_TOKEN: "tok-real", ANTHROPIC_CUSTOM_HEADERS: "X-Team: blue" },
    });
    const body = randomBytes(3_000_000);
    const headers = ["X-One", "1", "x-one", "2", "anthropic-beta", "a,b", "accept-encoding", "gzip, br"];
    await ask(gateway.url, { key: lane.key, path: "/v1/messages?beta=true&x=%2F", body, headers });
    const [seen] = upstream.seen;
    expect([seen?.method, seen?.url]).toEqual(["POST", "/v1/messages?beta=true&x=%2F"]);
    expect(seen?.body.equals(body)).toBe(true);
    expect(seen?.headers).toMatchObject({
      host: `127.0.0.1:${upstream.port}`,
      "x-api-key": REAL_KEY,
      authorization: "Bearer tok-real",
      "x-team": "blue",
      "anthropic-beta": "a,b",
      "accept-encoding": "identity",
      "content-length": "3000000",
    });
    expect(seen?.rawHeaders.join("\n")).toContain("X-One\n1\nx-one\n2");
    expect(JSON.stringify(seen?.rawHeaders)).not.toContain(lane.key);
  });

  test("no credential when none is set", async () => {
    const { gateway, lane, upstream } = await play(({ response }) => stream(response), {
      env: { ANTHROPIC_API_KEY: "" },
    });
    await ask(gateway.url, { headers: ["Authorization", `Bearer ${lane.key}`] });
    expect(upstream.seen[0]?.headers).not.toHaveProperty("x-api-key");
    expect(upstream.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  test("only the credential that is set: the lane's key stays behind under either name", async () => {
    const { gateway, lane, upstream } = await play(({ response }) => stream(response), {
      env: { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "tok-real" },
    });
    await ask(gateway.url, { key: lane.key });
    expect(upstream.seen[0]?.headers.authorization).toBe("Bearer tok-real");
    expect(JSON.stringify(upstream.seen[0]?.rawHeaders)).not.toContain(lane.key);
  });

  test.each(["/base", "/base/", "/deep/er"])("a base URL with the path %s keeps it", async (base) => {
    const upstream = await world.upstream(({ response }) => json(response, 200, {}));
    const { gateway, lane } = await world.gateway(`${upstream.url}${base}`);
    await ask(gateway.url, { key: lane.key });
    expect(upstream.seen[0]?.url).toBe(`${base.replace(/\/$/, "")}/v1/messages?beta=true`);
  });

  test.each(["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "PROPFIND"])("%s", async (method) => {
    const { gateway, lane, upstream } = await play(({ response }) => {
      response.writeHead(200, ["content-length", "2"]).end(method === "HEAD" ? undefined : "ok");
    });
    const reply = await ask(gateway.url, { key: lane.key, method, path: "/v1/files/f", body: "" });
    expect([reply.status, reply.headers["content-length"], reply.isCut]).toEqual([200, "2", false]);
    expect(upstream.seen).toMatchObject([{ method, url: "/v1/files/f" }]);
    expect(world.usages).toEqual([]);
  });
});

describe("what comes back", () => {
  test("status, duplicate headers, encoding and every byte; nothing that belongs to the connection", async () => {
    const UTF8 = Buffer.from("é汉").toString("latin1");
    const bytes = gzipSync(randomBytes(200_000));
    const sent = ["Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Mixed", UTF8, "Content-Encoding", "gzip"];
    const { gateway, lane } = await play(({ response }) => {
      response.writeHead(201, [
        ...sent,
        "Content-Type",
        "application/json",
        "Connection",
        "X-Hop",
        "X-Hop",
        "1",
      ]);
      response.write(bytes.subarray(0, 70_000));
      setTimeout(() => response.end(bytes.subarray(70_000)), 20);
    });
    const reply = await ask(gateway.url, { key: lane.key });
    expect(reply.status).toBe(201);
    expect(reply.body.equals(bytes)).toBe(true);
    expect(reply.rawHeaders.join("\n")).toContain(`Set-Cookie\na=1\nSet-Cookie\nb=2\nX-Mixed\n${UTF8}`);
    expect(reply.headers).not.toHaveProperty("x-hop");
    expect(reply.headers["x-should-retry"]).toBeUndefined();
  });

  test("an answer without a body", async () => {
    const { gateway, lane } = await play(({ response }) => response.writeHead(204).end());
    expect(await ask(gateway.url, { key: lane.key })).toMatchObject({ status: 204, isCut: false });
  });

  test("a redirect is passed on, not followed", async () => {
    const { gateway, lane, upstream } = await play(({ response }) =>
      response.writeHead(302, ["location", "http://other.example/v1/messages"]).end(),
    );
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(302);
    expect(upstream.seen).toHaveLength(1);
  });

  test("a stream comes event by event, while it is written", async () => {
    let goOn = (): void => undefined;
    const { gateway, lane } = await play(({ response }) => {
      response.writeHead(200, SSE);
      response.write(START);
      goOn = () => response.end(STREAM.slice(START.length));
    });
    let arrived = "";
    const reply = await ask(gateway.url, {
      key: lane.key,
      onData: (chunk) => {
        arrived += String(chunk);
        if (arrived === START) goOn();
      },
    });
    expect(reply.body.toString("utf8")).toBe(STREAM);
  });

  test("a client that does not read stops the upstream, and nothing piles up", async () => {
    const chunk = Buffer.alloc(256 * 1024, "x");
    const total = 400;
    let sent = 0;
    const { gateway, lane, upstream } = await play(({ response }) => {
      response.writeHead(200, ["content-type", "application/octet-stream"]);
      const more = (): void => {
        while (sent < total && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET /v1/files/f HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-key: ${lane.key}\r\n\r\n`);
    await until(() => upstream.seen.length === 1);
    for (let [before, still] = [0, 0]; still < 10; before = sent) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      still = sent > 0 && sent === before ? still + 1 : 0;
    }
    expect(sent).toBeLessThan(total / 2);
    // Its slowness is no silence of the upstream.
    world.clock.advance(600_000);
    let received = 0;
    socket.on("data", (data) => {
      received += data.length;
    });
    await until(() => received > total * chunk.length);
    expect(sent).toBe(total);
    socket.destroy();
  });
});

describe("a stream that breaks after something was relayed", () => {
  const breaking: Answerer = ({ response }) => {
    response.writeHead(200, SSE);
    response.write(START + TEXT);
    setTimeout(() => response.destroy(), 30);
  };

  test("is cut for the client too, and not sent again; what it cost is known", async () => {
    const { gateway, lane, upstream } = await play(breaking);
    const reply = await ask(gateway.url, { key: lane.key });
    expect([reply.status, reply.isCut, reply.body.toString("utf8")]).toEqual([200, true, START + TEXT]);
    expect(upstream.seen).toHaveLength(1);
    expect(lane.lastError).toBe(`ECONNRESET 127.0.0.1:${upstream.port}`);
    expect(world.usages).toMatchObject([
      { complete: false, model: "claude-served", requestId: "req_1", tokens: { ...TOKENS, output: 1 } },
    ]);
  });

  test("the client's retry is held like any other request", async () => {
    const { gateway, lane } = await play((seen, index) => {
      if (index === 0) return breaking(seen, index);
      if (index === 1) return json(seen.response, 529, apiError("overloaded_error", "no"));
      stream(seen.response);
    });
    expect((await ask(gateway.url, { key: lane.key })).isCut).toBe(true);
    expect((await ask(gateway.url, { key: lane.key })).body.toString("utf8")).toBe(STREAM);
    expect(world.notices.map((notice) => notice.phase)).toEqual(["waiting", "online"]);
  });

  test("a silence of idleTimeoutMs is a break; pings are none", async () => {
    const responses: { write(text: string): void }[] = [];
    const { gateway, lane, upstream } = await play(({ response }) => {
      response.writeHead(200, SSE);
      response.write(START);
      responses.push(response);
    });
    let arrived = 0;
    const asking = ask(gateway.url, {
      key: lane.key,
      onData: (chunk) => {
        arrived += chunk.length;
      },
    });
    const ping = event("ping");
    for (let sent = 0; sent < 4; sent += 1) {
      await until(() => arrived === START.length + sent * ping.length);
      world.clock.advance(119_999);
      responses[0]?.write(ping);
    }
    await until(() => arrived === START.length + 4 * ping.length);
    await new Promise((resolve) => setTimeout(resolve, 20));
    world.clock.advance(120_000);
    expect((await asking).isCut).toBe(true);
    expect(lane.lastError).toBe(`ETIMEDOUT 127.0.0.1:${upstream.port}`);
    await until(() => upstream.gone === 1);
  });

  test("a client that goes in the middle ends the upstream's connection, and its cost is reported", async () => {
    const { gateway, lane, upstream } = await play(({ response }) => {
      response.writeHead(200, SSE);
      response.write(START);
    });
    let drop = (): void => undefined;
    const reply = await ask(gateway.url, {
      key: lane.key,
      onRequest: (request) => {
        drop = () => request.destroy();
      },
      onData: () => drop(),
    });
    expect(reply.isCut).toBe(true);
    await until(() => upstream.gone === 1 && world.usages.length === 1);
    expect(world.usages).toMatchObject([{ complete: false, tokens: { input: 7 } }]);
    expect(world.clock.sleeping).toBe(0);
  });
});

describe("usage", () => {
  test("of a whole stream", async () => {
    const { gateway, lane } = await play(({ response }) => {
      response.writeHead(200, SSE);
      setTimeout(() => {
        world.clock.advance(250);
        response.write(START);
        setTimeout(() => {
          world.clock.advance(1_000);
          response.end(STREAM.slice(START.length));
        }, 20);
      }, 20);
    });
    await ask(gateway.url, { key: lane.key, headers: ["x-claude-code-agent-id", "agent-7"] });
    expect(world.usages).toEqual([
      {
        model: "claude-served",
        agentId: "agent-7",
        requestId: "req_1",
        status: 200,
        complete: true,
        tokens: TOKENS,
        heldMs: 0,
        firstByteMs: 250,
        durationMs: 1_250,
        bytes: Buffer.byteLength(STREAM),
      },
    ]);
  });

  test("of a plain answer", async () => {
    const usage = { input_tokens: 3, output_tokens: 5 };
    const { gateway, lane } = await play(({ response }) => json(response, 200, { model: "m", usage }));
    await ask(gateway.url, { key: lane.key });
    expect(world.usages).toMatchObject([{ model: "m", complete: true, tokens: { input: 3, output: 5 } }]);
  });

  test("a stream without its end is not complete; one with an error in the middle tells it", async () => {
    const failed = event("error", apiError("overloaded_error", "Overloaded") as object);
    const { gateway, lane } = await play(({ response }) => stream(response, START + DELTA + failed));
    const reply = await ask(gateway.url, { key: lane.key });
    expect([reply.isCut, reply.body.toString("utf8")]).toEqual([false, START + DELTA + failed]);
    expect(world.usages).toMatchObject([{ complete: false, tokens: { output: 42 } }]);
    expect(lane.lastError).toBe("200 overloaded_error: Overloaded");
  });

  test("goes to the lane that asked, and only for messages", async () => {
    const { gateway, lane } = await play(({ response }) => stream(response));
    const others: unknown[] = [];
    const other = gateway.open({ onUsage: (usage) => others.push(usage) });
    await ask(gateway.url, { key: other.key });
    await ask(gateway.url, { key: lane.key, path: "/v1/messages/count_tokens" });
    expect([others.length, world.usages.length]).toEqual([1, 0]);
  });
});

describe("the budget", () => {
  test("a refused request gets the text in the form of the API, and is never sent", async () => {
    let refusal: string | undefined = "the budget of 5 dollars is spent";
    const { gateway, lane, upstream } = await play(({ response }) => stream(response), {
      lane: { refuse: () => refusal },
    });
    const reply = await ask(gateway.url, { key: lane.key });
    expect([reply.status, reply.headers["x-should-retry"]]).toEqual([402, "false"]);
    expect(errorIn(reply)).toEqual({ type: "billing_error", message: "the budget of 5 dollars is spent" });
    expect(lane.lastError).toBe("the budget of 5 dollars is spent");
    expect([upstream.seen.length, world.usages.length]).toEqual([0, 0]);
    refusal = undefined;
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(200);
    expect(lane.lastError).toBeUndefined();
  });

  test("what costs nothing is not refused", async () => {
    const { gateway, lane } = await play(({ response }) => json(response, 200, {}), {
      lane: { refuse: () => "no" },
    });
    expect((await ask(gateway.url, { key: lane.key, path: "/v1/messages/count_tokens" })).status).toBe(200);
  });
});
