import { spawn } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, until } from "./client.ts";
import { apiError, type GatewayWorld, gatewayWorld, json, SSE, START } from "./world.ts";

let world: GatewayWorld;

beforeEach(() => {
  world = gatewayWorld();
});

afterEach(() => world.end());

describe("closing a lane", () => {
  test("ends what it has in flight and what it holds, and nothing of another lane", async () => {
    const upstream = await world.upstream(({ response, url }) => {
      if (url.endsWith("held")) return json(response, 529, apiError("overloaded_error", "no"));
      response.writeHead(200, SSE);
      response.write(START);
    });
    const { gateway, lane } = await world.gateway(upstream.url, { isQuick: false });
    const other = gateway.open();
    let arrived = 0;
    const onData = (): void => {
      arrived += 1;
    };
    const streaming = ask(gateway.url, { key: lane.key, onData });
    const others = ask(gateway.url, { key: other.key, onData });
    const held = ask(gateway.url, { key: lane.key, path: "/v1/messages?held" });
    held.catch(() => undefined);
    await until(() => arrived === 2 && world.notices.length === 1);
    void lane.close();
    expect((await streaming).isCut).toBe(true);
    await expect(held).rejects.toThrow();
    await until(() => upstream.gone === 1);
    expect(arrived).toBe(2);
    world.clock.advance(4_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(upstream.seen).toHaveLength(3);
    gateway.close();
    expect((await others).isCut).toBe(true);
  });
});

describe("closing the gateway", () => {
  test("refuses connections from that moment on, and opens no more lanes", async () => {
    const upstream = await world.upstream(({ response }) => json(response, 200, {}));
    const { gateway, lane } = await world.gateway(upstream.url);
    await ask(gateway.url, { key: lane.key });
    gateway.close();
    gateway.close();
    await expect(ask(gateway.url, { key: lane.key })).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(() => gateway.open()).toThrow(expect.objectContaining({ code: "gateway/closed" }));
  });

  test("ends a connection that has not even asked for anything", async () => {
    const upstream = await world.upstream(({ response }) => json(response, 200, {}));
    const { gateway } = await world.gateway(upstream.url);
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.write("POST /v1/mess", resolve));
    await new Promise((resolve) => setTimeout(resolve, 30));
    gateway.close();
    await closed;
  });

  test("leaves nothing that keeps a process alive: streams, holds and probes end", async () => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", fileURLToPath(new URL("./close-and-leave.ts", import.meta.url))],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
    });
    const code = await new Promise((resolve) => child.once("exit", (status) => resolve(status)));
    expect(said).toBe("streaming, held and lost\nupstream connections: 0\nleft: \n");
    expect(code).toBe(0);
  });
});

describe("clients that misbehave", () => {
  test("a connection that breaks within a request does no harm", async () => {
    const upstream = await world.upstream(({ response }) => json(response, 200, {}));
    const { gateway, lane } = await world.gateway(upstream.url);
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-key: ${lane.key}\r\ncontent-length: 9\r\n\r\nabc`,
      () => socket.destroy(),
    );
    await new Promise((resolve) => socket.once("close", resolve));
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
  });
});
