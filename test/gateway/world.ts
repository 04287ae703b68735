import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Gateway, type GatewayOptions, startGateway } from "../../src/gateway/gateway.ts";
import type { HoldNotice } from "../../src/gateway/hold.ts";
import type { Lane, LaneOptions, RequestUsage } from "../../src/gateway/lane.ts";
import { Resilience, type ResilienceOptions } from "../../src/resilience/resilience.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";

export const REAL_KEY = "sk-real-0123456789";

/** What a small upstream saw of one request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly response: ServerResponse;
}

export interface TestUpstream {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  /** Connections that were closed by the other side. */
  readonly gone: number;
  readonly stop: () => Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
}

export type Answerer = (seen: Seen, index: number) => void;

/** A gateway in front of a small upstream, on a clock of the test's own. */
export interface GatewayWorld {
  readonly clock: ManualClock;
  readonly notices: HoldNotice[];
  readonly usages: RequestUsage[];
  upstream(answer: Answerer): Promise<TestUpstream>;
  gateway(url: string, options?: WorldOptions): Promise<{ gateway: Gateway; lane: Lane }>;
  end(): Promise<void>;
}

export interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly resilience?: ResilienceOptions;
  readonly options?: Partial<GatewayOptions>;
  readonly lane?: LaneOptions;
  /** Moves the clock on as soon as a request waits, by just the time that it waits. Default true. */
  readonly isQuick?: boolean;
}

export function gatewayWorld(): GatewayWorld {
  const clock = manualClock();
  const notices: HoldNotice[] = [];
  const usages: RequestUsage[] = [];
  const ends: (() => unknown)[] = [];
  return {
    clock,
    notices,
    usages,
    upstream: async (answer) => {
      const upstream = await startUpstream(answer);
      ends.push(upstream.stop);
      return upstream;
    },
    gateway: async (url, { env, resilience, options, lane, isQuick = true } = {}) => {
      const gateway = await startGateway({
        env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: REAL_KEY, ...env },
        // Half of the chance is none: pauses are exactly 4 s, 8 s, 16 s …
        resilience: new Resilience({ clock, random: () => 0.5, probe: async () => true, ...resilience }),
        lang: "en",
        clock,
        ...options,
      });
      ends.push(gateway.close);
      const onHold = (notice: HoldNotice): void => {
        notices.push(notice);
        lane?.onHold?.(notice);
        if (!isQuick) return;
        if (notice.phase === "waiting") setImmediate(() => clock.advance(notice.waitMs ?? 0));
        if (notice.phase === "lost") setImmediate(() => clock.advance(15_000));
      };
      const onUsage = (usage: RequestUsage): void => void usages.push(usage);
      return { gateway, lane: gateway.open({ onUsage, ...lane, onHold }) };
    },
    end: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
}

async function startUpstream(answer: Answerer): Promise<TestUpstream> {
  const seen: Seen[] = [];
  let gone = 0;
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    response.once("close", () => {
      if (!response.writableFinished) gone += 1;
    });
    incoming.on("error", () => undefined);
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => {
      const { method = "", url = "", rawHeaders, headers } = incoming;
      const one = { method, url, rawHeaders, headers, body: Buffer.concat(chunks), response };
      seen.push(one);
      answer(one, seen.length - 1);
    });
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    get gone() {
      return gone;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () => listen(server, port),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
}

/** Answers with JSON in the API's form. */
export function json(response: ServerResponse, status: number, body: unknown, headers: string[] = []): void {
  const text = JSON.stringify(body);
  response.writeHead(status, ["content-type", "application/json", ...headers]);
  response.end(text);
}

export function apiError(type: string, message: string): unknown {
  return { type: "error", error: { type, message } };
}

export function event(type: string, data: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

export const START = event("message_start", {
  message: {
    id: "msg_1",
    model: "claude-served",
    content: [],
    usage: {
      input_tokens: 7,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 12,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 8 },
      output_tokens: 1,
    },
  },
});

export const TEXT = event("content_block_delta", {
  index: 0,
  delta: { type: "text_delta", text: "a line\nand “more”" },
});

export const DELTA = event("message_delta", {
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 42 },
});

export const STOP = event("message_stop");

export const STREAM = START + event("ping") + TEXT + DELTA + STOP;

export const SSE = ["content-type", "text/event-stream; charset=utf-8", "request-id", "req_1"];

export function stream(response: ServerResponse, text = STREAM): void {
  response.writeHead(200, SSE);
  response.end(text);
}

/** The first answers in turn, then a whole stream for ever. */
export function inTurn(...answers: readonly Answerer[]): Answerer {
  return (seen, index) => (answers[index] ?? (({ response }) => stream(response)))(seen, index);
}

/** Answers with an error of the API that passes. */
export const failing = (status: number, type: string, headers: string[] = []): Answerer => {
  return ({ response }) => json(response, status, apiError(type, "no"), headers);
};
