import type { Dispatcher } from "undici";
import { z } from "zod";
import { DEFAULT_BASE_URL, type Env, valueOf } from "../config/env.ts";
import { endpoint } from "../resilience/endpoint.ts";
import { joinDuplicates, type RawHeaders } from "./headers.ts";
import { proxyFor } from "./proxy.ts";

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  /** The bytes as they come, not decoded. Rejects when the connection breaks or the signal aborts. */
  readonly body: AsyncIterator<unknown>;
  /** Lets go of the connection when the rest of the body is not wanted. */
  readonly discard: () => void;
}

/** The real endpoint. */
export interface Upstream {
  /** `host:port`, for error texts. */
  readonly authority: string;
  /** Gets ready for the first request; without it the first request waits for that. */
  prepare(): void;
  /** Resolves when the headers are there; rejects with what undici says, or with the signal's reason. */
  send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse>;
  /** Ends every connection at once. */
  close(): void;
}

/** For name, connection and TLS together. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The option that undici reads (6.29); its types have it under another name. */
const RAW_HEADERS = { responseHeaders: "raw" } as const;

const rawHeaders = z.array(z.string());

/**
 * Connections to `ANTHROPIC_BASE_URL` or to the proxy in front of it; TLS is verified with Node's certificates and
 * those of `NODE_EXTRA_CA_CERTS`. A path of the base URL is put before the path of every request.
 *
 * Throws `resilience/bad-base-url` and `gateway/proxy-not-supported`.
 */
export function openUpstream(env: Env): Upstream {
  const { host, port } = endpoint(env);
  const base = new URL(valueOf(env, "ANTHROPIC_BASE_URL")?.trim() ?? DEFAULT_BASE_URL);
  const prefix = base.pathname.replace(/\/+$/, "");
  const proxy = proxyFor(env, base.protocol === "http:" ? "http" : "https");
  let dispatcher: Promise<Dispatcher> | undefined;
  const ready = (): Promise<Dispatcher> => {
    dispatcher ??= dispatcherFor(proxy);
    return dispatcher;
  };
  return {
    authority: host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
    // Whoever sends is told why it failed.
    prepare: () => void ready().catch(() => undefined),
    send: async ({ method, path, headers, body }, signal) => {
      if (!isMethod(method)) throw new TypeError(`${method} is not relayed`);
      const response = await (await ready()).request({
        origin: base.origin,
        path: `${prefix}${path}`,
        method,
        headers: proxy === undefined ? [...headers] : joinDuplicates(headers),
        body: body.length === 0 ? null : body,
        signal,
        ...RAW_HEADERS,
      });
      // A body that is let go of emits an error of its own, which nobody waits for.
      response.body.on("error", () => undefined);
      return {
        status: response.statusCode,
        headers: rawHeaders.parse(response.headers),
        body: response.body[Symbol.asyncIterator](),
        discard: () => void response.body.destroy(),
      };
    },
    close: () => {
      dispatcher?.then((open) => open.destroy()).catch(() => undefined);
    },
  };
}

/** How long to wait for headers and bytes is ours to decide (`watchSilence`), on a clock that tests own. */
async function dispatcherFor(proxy: URL | undefined): Promise<Dispatcher> {
  // Only now: loading it takes a tenth of a second, in which the CLI is starting anyway.
  const { Agent, ProxyAgent } = await import("undici");
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } };
  if (proxy === undefined) return new Agent(options);
  return new ProxyAgent({ ...options, uri: proxy.href });
}

/** undici takes every method that is a token (6.29), which its types do not say. */
function isMethod(method: string): method is Dispatcher.HttpMethod {
  return method !== "CONNECT";
}
