/**
 * A process of its own, started by a test: has a gateway with a stream, a held request and one that waits for its
 * endpoint, closes the gateway, and says what is left. Ends by itself only when that is nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/base/clock.ts";
import { startGateway } from "../../src/gateway/gateway.ts";
import { Resilience } from "../../src/resilience/resilience.ts";
import { ask } from "./client.ts";

const upstream = createServer((request, response) => {
  request.resume();
  if (request.url === "/v1/held") {
    response.writeHead(529).end();
    return;
  }
  if (request.url === "/v1/whole") {
    response.writeHead(200).end("whole");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("event: message_start\ndata: {}\n\n");
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const told = new Set<string>();
const all = new Promise<void>((resolve) => {
  const tell = (what: string): void => {
    told.add(what);
    if (told.size === 3) resolve();
  };
  void start(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, true, tell);
  void start("http://127.0.0.1:9", false, tell);
});

const closers: (() => void)[] = [];
const askers: Promise<unknown>[] = [];

async function start(url: string, isThere: boolean, tell: (what: string) => void): Promise<void> {
  const gateway = await startGateway({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "real-key" },
    resilience: new Resilience({ probe: async () => false }),
    lang: "en",
    clock: systemClock,
  });
  closers.push(gateway.close);
  const lane = gateway.open({ onHold: ({ phase }) => tell(phase) });
  const question = { key: lane.key, onData: () => tell("streaming") };
  askers.push(ask(gateway.url, question).catch(() => undefined));
  if (isThere) await ask(gateway.url, { key: lane.key, path: "/v1/whole" });
  if (isThere) askers.push(ask(gateway.url, { key: lane.key, path: "/v1/held" }).catch(() => undefined));
}

await all;
console.log("streaming, held and lost");
for (const close of closers) close();
await Promise.all(askers);
await new Promise((resolve) => setTimeout(resolve, 200));
// One of them had rested, for a next request.
upstream.getConnections((_, count) => console.log(`upstream connections: ${count}`));
await new Promise((resolve) => upstream.close(resolve));
// The system takes a moment to forget a listener.
await new Promise((resolve) => setTimeout(resolve, 50));
const left = process
  .getActiveResourcesInfo()
  .filter((name) => !/^(TTYWrap|PipeWrap|FSReqPromise)$/.test(name));
console.log(`left: ${left.join(" ")}`);
