import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, until } from "./client.ts";
import {
  type Answerer,
  failing,
  type GatewayWorld,
  gatewayWorld,
  inTurn,
  SSE,
  START,
  STREAM,
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

describe("a client that goes", () => {
  test("while its request is held: it is never sent again", async () => {
    const { gateway, lane, upstream } = await play(failing(529, "overloaded_error"), { isQuick: false });
    const asking = ask(gateway.url, {
      key: lane.key,
      onRequest: (request) => void until(() => world.notices.length === 1).then(() => request.destroy()),
    });
    await expect(asking).rejects.toThrow();
    await until(() => world.clock.sleeping === 0);
    world.clock.advance(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(upstream.seen).toHaveLength(1);
    expect(world.usages).toEqual([]);
  });

  test("while the upstream thinks: the upstream's connection is closed", async () => {
    const { gateway, lane, upstream } = await play(() => undefined);
    const asking = ask(gateway.url, {
      key: lane.key,
      onRequest: (request) => void until(() => upstream.seen.length === 1).then(() => request.destroy()),
    });
    await expect(asking).rejects.toThrow();
    await until(() => upstream.gone === 1);
    expect(world.clock.sleeping).toBe(0);
  });

  test("and sends the same again goes on with the same outage, so that it ends some time", async () => {
    const { gateway, lane } = await play(failing(529, "overloaded_error"), {
      isQuick: false,
      resilience: { maxOfflineWaitMs: 10_000 },
    });
    const first = ask(gateway.url, {
      key: lane.key,
      onRequest: (request) => void until(() => world.notices.length === 1).then(() => request.destroy()),
    });
    await expect(first).rejects.toThrow();
    await until(() => world.clock.sleeping === 0);
    world.clock.advance(9_000);
    const second = ask(gateway.url, { key: lane.key });
    await until(() => world.notices.length === 2);
    world.clock.advance(1_000);
    expect((await second).status).toBe(529);
    expect(phases()).toEqual([
      ["waiting", 1, 4_000],
      ["waiting", 2, 1_000],
      ["gave_up", 3, null],
    ]);
    expect(world.notices.map((notice) => notice.sinceMs)).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });

  test("and comes back much later begins anew", async () => {
    const { gateway, lane } = await play(inTurn(failing(529, "e"), failing(529, "e")), { isQuick: false });
    const first = ask(gateway.url, {
      key: lane.key,
      onRequest: (request) => void until(() => world.notices.length === 1).then(() => request.destroy()),
    });
    await expect(first).rejects.toThrow();
    await until(() => world.clock.sleeping === 0);
    world.clock.advance(130_000);
    const second = ask(gateway.url, { key: lane.key });
    await until(() => world.notices.length === 2);
    expect(world.notices[1]).toMatchObject({ attempt: 1, sinceMs: 1_130_000 });
    world.clock.advance(4_000);
    expect((await second).status).toBe(200);
  });
});

describe("silence", () => {
  test("before the headers: given up after firstByteTimeoutMs and sent again", async () => {
    const { ask, upstream } = await play(
      inTurn(() => undefined),
      { options: { firstByteTimeoutMs: 9_000 } },
    );
    const asking = ask();
    await until(() => upstream.seen.length === 1);
    world.clock.advance(8_999);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.notices).toEqual([]);
    world.clock.advance(1);
    expect((await asking).status).toBe(200);
    expect(world.notices[0]?.error).toBe(`ETIMEDOUT 127.0.0.1:${upstream.port}`);
    await until(() => upstream.gone === 1);
  });

  test("after the headers and half of the first event: sent again as well", async () => {
    const half: Answerer = ({ response }) => {
      response.writeHead(200, SSE);
      response.write(START.slice(0, 30));
    };
    const { ask, upstream } = await play(inTurn(half));
    const asking = ask();
    await until(() => upstream.seen.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    world.clock.advance(300_000);
    const reply = await asking;
    expect([reply.status, reply.body.toString("utf8")]).toEqual([200, STREAM]);
    expect(phases()[0]).toEqual(["waiting", 1, 4_000]);
  });

  test("a plain answer may take ten minutes, a stream five", async () => {
    const { gateway, lane, upstream } = await play(() => undefined, { isQuick: false });
    const plain = ask(gateway.url, { key: lane.key, body: '{"model":"m"}' });
    const streamed = ask(gateway.url, { key: lane.key, body: '{"model":"m","stream":true}' });
    plain.catch(() => undefined);
    streamed.catch(() => undefined);
    await until(() => upstream.seen.length === 2);
    world.clock.advance(300_000);
    await until(() => world.notices.length === 1);
    world.clock.advance(299_999);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = world.notices.length;
    world.clock.advance(1);
    await until(() => world.notices.length > before);
  });
});
