import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { systemClock } from "../src/base/clock.ts";
import { startGateway } from "../src/gateway/gateway.ts";
import { Resilience } from "../src/resilience/resilience.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Requests each way for the latency, taken in turn so that both see the same machine. */
const REQUESTS = 300;
const WARM_UP = 50;
/** Streams each way, and megabytes of each. */
const STREAMS = 15;
const STREAM_MB = 8;
/** As a CLI sends it in the middle of a session. */
const BODY = JSON.stringify({
  model: "m",
  messages: [{ role: "user", content: "x".repeat(120_000) }],
  stream: true,
});

/** What a model streams: many small events. */
const EVENT = `event: content_block_delta\ndata: ${JSON.stringify({
  type: "content_block_delta",
  index: 0,
  delta: { type: "text_delta", text: "a few words at a time" },
})}\n\n`;
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}\n\n';
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

/**
 * What the gateway costs: the same requests to the same server, directly and through it, measured in turn in one
 * process. That favours nobody but makes both slower than they are: client, gateway and server share one thread.
 */
const bench: Bench = {
  name: "gateway",
  run: async () => {
    const chunk = Buffer.from(EVENT.repeat(Math.ceil(16_384 / EVENT.length)));
    const chunks = Math.ceil((STREAM_MB * 1_000_000) / chunk.length);
    const server = createServer((incoming, response) => {
      incoming.resume();
      incoming.once("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(START);
        let left = incoming.url === "/v1/messages?long" ? chunks : 1;
        const more = (): void => {
          for (; left > 0; left -= 1) {
            if (!response.write(chunk)) {
              left -= 1;
              response.once("drain", more);
              return;
            }
          }
          response.end(STOP);
        };
        more();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gateway = await startGateway({
      env: { ANTHROPIC_BASE_URL: direct, ANTHROPIC_API_KEY: "key" },
      resilience: new Resilience(),
      lang: "en",
      clock: systemClock,
    });
    const agent = new Agent({ keepAlive: true });
    const { key } = gateway.open();
    const timed = (url: string, path: string) => time({ url, path, key, agent });
    try {
      const [directMs, gatewayMs] = await inTurn(REQUESTS, WARM_UP, (isThrough) =>
        timed(isThrough ? gateway.url : direct, "/v1/messages"),
      );
      const [directStreamMs, gatewayStreamMs] = await inTurn(STREAMS, 3, (isThrough) =>
        timed(isThrough ? gateway.url : direct, "/v1/messages?long"),
      );
      const perMb = (gatewayStreamMs - directStreamMs) / STREAM_MB;
      return [
        figure({ bench: "gateway-latency", value: gatewayMs - directMs, unit: "ms", target: "<=5" }),
        figure({ bench: "gateway-latency-direct", value: directMs, unit: "ms", target: "" }),
        figure({ bench: "gateway-stream", value: perMb, unit: "ms/MB", target: "<=10" }),
        figure({
          bench: "gateway-stream-direct",
          value: directStreamMs / STREAM_MB,
          unit: "ms/MB",
          target: "",
        }),
      ];
    } finally {
      agent.destroy();
      gateway.close();
      server.close();
      server.closeAllConnections();
    }
  },
};

export default bench;

/** The medians of both ways, measured alternately. */
async function inTurn(
  rounds: number,
  warmUp: number,
  measure: (isThrough: boolean) => Promise<number>,
): Promise<readonly [direct: number, through: number]> {
  const [direct, through]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const pair = [await measure(false), await measure(true)] as const;
    if (round < warmUp) continue;
    direct.push(pair[0]);
    through.push(pair[1]);
  }
  return [median(direct), median(through)];
}

/** Milliseconds from the first byte of the request to the last of the answer. */
function time(way: { url: string; path: string; key: string; agent: Agent }): Promise<number> {
  const { url, path, key, agent } = way;
  const { hostname, port } = new URL(url);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": key, "content-type": "application/json", "content-length": BODY.length };
    const asking = request({ hostname, port, path, method: "POST", headers, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(performance.now() - began));
      response.once("error", reject);
    });
    asking.once("error", reject);
    asking.end(BODY);
  });
}
