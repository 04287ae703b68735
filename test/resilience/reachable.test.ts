import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { reachable } from "../../src/resilience/reachable.ts";

/** Reserved for documentation (RFC 5737): nobody answers there. */
const NOBODY = "192.0.2.1";

async function listen(
  onSocket: (socket: Socket) => void = () => undefined,
): Promise<{ server: Server; port: number }> {
  const server = createServer(onSocket);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

describe("reachable", () => {
  test("is true when somebody listens, and says nothing to them", async () => {
    let heard = 0;
    let closed: Promise<unknown> = Promise.reject(new Error("nobody came"));
    closed.catch(() => undefined);
    const { port } = await listen((socket) => {
      socket.on("data", (data) => {
        heard += data.length;
      });
      closed = once(socket, "close");
    });
    expect(await reachable("127.0.0.1", port, { timeoutMs: 5_000 })).toBe(true);
    await new Promise((next) => setImmediate(next));
    await closed;
    expect(heard).toBe(0);
  });

  test("is false when nobody listens", async () => {
    const { server, port } = await listen();
    server.close();
    await once(server, "close");
    expect(await reachable("127.0.0.1", port, { timeoutMs: 5_000 })).toBe(false);
  });

  test("is false for a name that does not exist", async () => {
    expect(await reachable("host.invalid", 443, { timeoutMs: 3_000 })).toBe(false);
  });

  test("is false when nobody answers in time", async () => {
    expect(await reachable(NOBODY, 443, { timeoutMs: 30 })).toBe(false);
  });

  test("rejects with the signal's reason, before and while it tries", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(reachable(NOBODY, 443, { timeoutMs: 5_000, signal })).rejects.toBe(reason);
    const controller = new AbortController();
    const trying = reachable(NOBODY, 443, { timeoutMs: 5_000, signal: controller.signal });
    controller.abort(reason);
    await expect(trying).rejects.toBe(reason);
  });
});
