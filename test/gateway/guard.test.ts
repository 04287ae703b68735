import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, errorIn, until } from "./client.ts";
import { type GatewayWorld, gatewayWorld, json, REAL_KEY } from "./world.ts";

let world: GatewayWorld;

beforeEach(() => {
  world = gatewayWorld();
});

afterEach(() => world.end());

async function open(env: Record<string, string> = {}) {
  const upstream = await world.upstream(({ response }) => json(response, 200, { ok: true }));
  return { upstream, ...(await world.gateway(upstream.url, { env })) };
}

describe("who may use the gateway", () => {
  test("a lane's key, as x-api-key or as Bearer", async () => {
    const { gateway, lane, upstream } = await open();
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(200);
    expect((await ask(gateway.url, { headers: ["Authorization", `Bearer ${lane.key}`] })).status).toBe(200);
    expect(upstream.seen).toHaveLength(2);
  });

  test.each([
    ["no key", []],
    ["an empty key", ["x-api-key", ""]],
    ["another key", ["x-api-key", "flower-0000"]],
    ["the real key", ["x-api-key", REAL_KEY]],
    ["another scheme", ["authorization", "Basic Zm9vOmJhcg=="]],
    ["the beginning of the key", (key: string) => ["x-api-key", key.slice(0, -1)]],
    ["the key twice", (key: string) => ["x-api-key", key, "x-api-key", key]],
  ])("%s: 401, and nothing is sent", async (_name, headers) => {
    const { gateway, lane, upstream } = await open();
    const given = typeof headers === "function" ? headers(lane.key) : headers;
    const reply = await ask(gateway.url, { headers: given });
    expect(reply.status).toBe(401);
    expect(errorIn(reply)).toEqual({ type: "authentication_error", message: "invalid x-api-key" });
    expect(reply.headers["x-should-retry"]).toBe("false");
    expect(upstream.seen).toHaveLength(0);
  });

  test("a revoked key opens nothing, while another lane goes on", async () => {
    const { gateway, lane } = await open();
    const other = gateway.open();
    void lane.close();
    void lane.close();
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(401);
    expect((await ask(gateway.url, { key: other.key })).status).toBe(200);
    expect(other.key).not.toBe(lane.key);
  });

  test.each([
    "evil.example",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example:PORT",
    "evil@127.0.0.1:PORT",
  ])("the host %s: 403, whatever the key", async (host) => {
    const { gateway, lane, upstream } = await open();
    const headers = ["Host", host.replace("PORT", new URL(gateway.url).port)];
    const reply = await ask(gateway.url, { key: lane.key, headers });
    expect([reply.status, errorIn(reply).type]).toEqual([403, "permission_error"]);
    expect(upstream.seen).toHaveLength(0);
  });

  test.each(["LOCALHOST:PORT", "[::1]:PORT"])("the host %s is ours", async (host) => {
    const { gateway, lane } = await open();
    const headers = ["host", host.replace("PORT", new URL(gateway.url).port)];
    expect((await ask(gateway.url, { key: lane.key, headers })).status).toBe(200);
  });

  test("only loopback is listened on", async () => {
    const { gateway } = await open();
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe("which paths are relayed", () => {
  test.each([
    "/",
    "/v1x/messages",
    "/v2/messages",
    "/api/hello",
    "/V1/messages",
    "//v1/messages",
    "/v1/../admin",
    "/v1/%2e%2e/admin",
    "/v1/..%2fadmin",
    "/v1/a%2Fb",
    "/v1/a%5cb",
    "/v1/a\\b",
    "/v1/%252e%252e/admin",
    "/v1/%zz",
    "/v1//messages",
    "/v1/./messages",
    "/v1/a%00",
    "http://other.example/v1/messages",
  ])("%s: 404, and nothing is sent", async (path) => {
    const { gateway, lane, upstream } = await open();
    const reply = await ask(gateway.url, { key: lane.key, path });
    expect([reply.status, errorIn(reply).type]).toEqual([404, "not_found_error"]);
    expect(upstream.seen).toHaveLength(0);
  });

  test.each(["/v1/messages", "/v1/messages/count_tokens?a=%2F..%2F", "/v1/models/claude-x%20y", "/v1"])(
    "%s goes through as it is",
    async (path) => {
      const { gateway, lane, upstream } = await open();
      expect((await ask(gateway.url, { key: lane.key, path })).status).toBe(200);
      expect(upstream.seen[0]?.url).toBe(path);
    },
  );

  test("CONNECT is not answered, and leaves the gateway as it was", async () => {
    const { gateway, lane, upstream } = await open();
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`CONNECT ${upstream.url.slice(7)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await new Promise((resolve) => socket.once("close", resolve));
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(200);
  });
});

describe("what may be sent", () => {
  test("a body above 64 MB, announced: 413 in the form of the API", async () => {
    const { gateway, lane, upstream } = await open();
    const headers = ["content-length", String(64 * 1024 * 1024 + 1)];
    const reply = await ask(gateway.url, {
      key: lane.key,
      body: "",
      headers,
      onRequest: (asking) => asking.flushHeaders(),
    }).catch((thrown: unknown) => thrown);
    expect(reply).toMatchObject({ status: 413 });
    expect(upstream.seen).toHaveLength(0);
  });

  test("a body above 64 MB, in chunks: 413 as well", async () => {
    const { gateway, lane, upstream } = await open();
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), "127.0.0.1");
    const size = 4 * 1024 * 1024;
    socket.on("error", () => undefined);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-key: ${lane.key}\r\n` +
        "transfer-encoding: chunked\r\n\r\n",
    );
    for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1) {
      await new Promise((resolve) =>
        socket.write(`${size.toString(16)}\r\n${"x".repeat(size)}\r\n`, () => resolve(undefined)),
      );
    }
    await until(() => answer.includes("request_too_large"));
    socket.destroy();
    expect(answer).toContain("HTTP/1.1 413");
    expect(answer).toContain('"request_too_large"');
    expect(upstream.seen).toHaveLength(0);
  });
});

describe("keys that are compared", () => {
  test("every lane has another one, of 256 bits, from the randomness that was passed in", async () => {
    const bytes: number[] = [];
    const upstream = await world.upstream(({ response }) => json(response, 200, {}));
    const { gateway } = await world.gateway(upstream.url, {
      options: {
        random: (count) => {
          bytes.push(count);
          return String(bytes.length).padStart(count * 2, "0");
        },
      },
    });
    const keys = [gateway.open().key, gateway.open().key];
    expect(new Set(keys).size).toBe(2);
    expect(bytes).toEqual([32, 32, 32]);
  });
});
