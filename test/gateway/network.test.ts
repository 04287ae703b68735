import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask } from "./client.ts";
import { SELF_SIGNED } from "./self-signed.ts";
import { type GatewayWorld, gatewayWorld, stream } from "./world.ts";

let world: GatewayWorld;
const ends: (() => void)[] = [];

beforeEach(() => {
  world = gatewayWorld();
});

afterEach(async () => {
  await world.end();
  for (const end of ends.splice(0)) end();
});

/** A proxy that answers CONNECT with this status, and tunnels everything to `port` when that is 200. */
async function startProxy(port: number, statuses: number[]) {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, socket: Socket) => {
    asked.push({ target: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    socket.on("error", () => undefined);
    const status = statuses.shift() ?? 200;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Yes\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    sockets.add(target);
    target.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe("behind a proxy", () => {
  test("requests go through it, with its own credential; duplicates become one list", async () => {
    const upstream = await world.upstream(({ response }) => stream(response));
    const proxy = await startProxy(upstream.port, []);
    const { gateway, lane } = await world.gateway("http://api.invalid", {
      env: { HTTP_PROXY: `http://me:pass%21@${proxy.url}` },
    });
    const reply = await ask(gateway.url, { key: lane.key, headers: ["x-a", "1", "x-a", "2"] });
    expect(reply.status).toBe(200);
    expect(proxy.asked).toEqual([
      { target: "api.invalid:80", authorization: `Basic ${Buffer.from("me:pass!").toString("base64")}` },
    ]);
    expect(upstream.seen[0]?.headers).toMatchObject({ host: "api.invalid", "x-a": "1, 2" });
  });

  test.each(["NO_PROXY", "no_proxy"])("%s and loopback go directly", async (name) => {
    const upstream = await world.upstream(({ response }) => stream(response));
    const proxy = await startProxy(upstream.port, []);
    const { gateway, lane } = await world.gateway(upstream.url, {
      env: { HTTP_PROXY: `http://${proxy.url}` },
    });
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(200);
    const exempt = await world.gateway("http://api.invalid:81", {
      env: { HTTP_PROXY: `http://${proxy.url}`, [name]: "invalid" },
      resilience: { maxOfflineWaitMs: 0 },
    });
    await ask(exempt.gateway.url, { key: exempt.lane.key });
    expect(exempt.lane.lastError).toContain("api.invalid:81");
    expect(proxy.asked).toEqual([]);
  });

  test.each(["http", "https"])("a proxy that fails for a while is waited for (%s)", async (scheme) => {
    const upstream = await world.upstream(({ response }) => stream(response));
    const proxy = await startProxy(upstream.port, [503]);
    const { gateway, lane } = await world.gateway(`${scheme}://api.invalid`, {
      env: { [`${scheme}_proxy`]: proxy.url },
      resilience: { maxOfflineWaitMs: 4_000 },
    });
    const reply = await ask(gateway.url, { key: lane.key });
    expect(world.notices[0]?.error).toMatch(/^proxy tunnel 503 api\.invalid:(80|443)$/);
    expect(world.notices[0]?.phase).toBe("waiting");
    // The upstream speaks no TLS.
    expect(reply.status).toBe(scheme === "http" ? 200 : 502);
  });

  test("a proxy that wants another credential is not waited for", async () => {
    const upstream = await world.upstream(({ response }) => stream(response));
    const proxy = await startProxy(upstream.port, [407, 407]);
    const { gateway, lane } = await world.gateway("https://api.invalid", {
      env: { HTTPS_PROXY: `http://me:proxy-pass@${proxy.url}` },
    });
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(502);
    expect(world.notices.map((notice) => notice.phase)).toEqual(["gave_up"]);
    expect(JSON.stringify([world.notices, lane.lastError])).not.toContain("proxy-pass");
  });

  test("a proxy of another kind is refused at the start", async () => {
    const env = { HTTPS_PROXY: "socks5://127.0.0.1:1080" };
    await expect(world.gateway("https://api.invalid", { env })).rejects.toMatchObject({
      code: "gateway/proxy-not-supported",
    });
  });
});

describe("TLS", () => {
  test("a certificate that nobody vouches for is refused, and not waited for", async () => {
    let asked = 0;
    const server = createSecureServer(SELF_SIGNED, (_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { gateway, lane } = await world.gateway(`https://localhost:${port}`);
    expect((await ask(gateway.url, { key: lane.key })).status).toBe(502);
    expect(lane.lastError).toBe(`DEPTH_ZERO_SELF_SIGNED_CERT localhost:${port}`);
    expect(world.notices.map((notice) => notice.text)).toEqual([
      `DEPTH_ZERO_SELF_SIGNED_CERT localhost:${port}: waiting does not help here`,
    ]);
    expect(asked).toBe(0);
  });
});

describe("a base URL that is none", () => {
  test.each(["ftp://x", "api.anthropic.com"])("%s is refused at the start", async (url) => {
    await expect(world.gateway(url)).rejects.toMatchObject({ code: "resilience/bad-base-url" });
  });
});
