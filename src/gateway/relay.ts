import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import { oneLine } from "../base/text.ts";
import type { Env } from "../config/env.ts";
import type { Lang } from "../lang/lang.ts";
import type { Resilience } from "../resilience/resilience.ts";
import { DO_NOT_RETRY, refuse } from "./api-error.ts";
import { type Answer, attempt, CutError } from "./attempt.ts";
import { statusText } from "./error-text.ts";
import { requestHeaders, responseHeaders, withoutHeaders } from "./headers.ts";
import { hold } from "./hold.ts";
import type { Identity } from "./identity.ts";
import type { OpenLane, RequestUsage } from "./lane.ts";
import { MAX_BODY_BYTES, readBody } from "./read-body.ts";
import { agentOf, askedModel, defaultFirstByteTimeoutMs, requestIdOf } from "./request-facts.ts";
import { NO_TOKENS } from "./tokens.ts";
import type { Trouble } from "./trouble.ts";
import type { Upstream } from "./upstream.ts";
import { writeAll } from "./write-all.ts";

/** What all requests of one gateway share. */
export interface Relay {
  readonly upstream: Upstream;
  readonly identity: Identity;
  readonly env: Env;
  readonly resilience: Resilience;
  readonly clock: Clock;
  readonly lang: Lang;
  readonly firstByteTimeoutMs: number | undefined;
  readonly idleTimeoutMs: number;
}

/** One request of a client that was let in. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly lane: OpenLane;
  /** Without the query. */
  readonly pathname: string;
}

/** A request that has arrived as a whole, on its way. */
interface Passage {
  readonly relay: Relay;
  readonly exchange: Exchange;
  readonly body: Buffer;
  readonly arrivedMs: number;
  /** Only what is asked of the Messages API costs something. */
  readonly isMessage: boolean;
  readonly agentId: string | null;
  readonly signal: AbortSignal;
}

/**
 * Takes a request from its arrival to its end: reads it, asks the budget, sends and holds it, relays the answer,
 * reports the usage.
 *
 * Contract: never rejects. When the client goes or the lane is closed, nothing more is sent and everything ends.
 */
export function relayRequest(relay: Relay, exchange: Exchange): Promise<void> {
  const { requests } = exchange.lane;
  const gone = new AbortController();
  const relaying = relayUntil(gone, relay, exchange).finally(() => requests.delete(gone));
  requests.set(gone, relaying);
  return relaying;
}

async function relayUntil(gone: AbortController, relay: Relay, exchange: Exchange): Promise<void> {
  const { incoming, response, lane, pathname } = exchange;
  response.once("close", () => gone.abort(new Error("the client went away")));
  gone.signal.addEventListener("abort", () => response.destroy(), { once: true });
  try {
    const body = await readBody(incoming);
    if (body === undefined) {
      const message = `a request may have at most ${MAX_BODY_BYTES} bytes`;
      return refuse(response, { status: 413, type: "request_too_large", message });
    }
    const isMessage = incoming.method === "POST" && pathname === "/v1/messages";
    const refusal = isMessage ? lane.options.refuse?.() : undefined;
    if (refusal !== undefined) {
      lane.lastError = refusal;
      // The one status that the CLI neither tries again nor explains away (CLI 2.1.332).
      return refuse(response, { status: 402, type: "billing_error", message: refusal });
    }
    const arrivedMs = relay.clock.now();
    const agentId = agentOf(incoming);
    await pass({ relay, exchange, body, arrivedMs, isMessage, agentId, signal: gone.signal });
  } catch (thrown) {
    // Whoever waits for this answer sees a cut connection; there is nobody else to tell but the lane.
    if (!gone.signal.aborted) lane.lastError = oneLine(String(thrown));
    response.destroy();
  }
}

async function pass(passage: Passage): Promise<void> {
  const { relay, exchange, body, agentId, signal } = passage;
  const { resilience, upstream, clock, identity } = relay;
  const { incoming, lane } = exchange;
  const request = {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "",
    headers: requestHeaders(incoming.rawHeaders, identity.headers),
    body,
  };
  const firstByteTimeoutMs = relay.firstByteTimeoutMs ?? defaultFirstByteTimeoutMs(body);
  const { idleTimeoutMs, env, lang } = relay;
  const { secrets } = identity;
  let sentMs = passage.arrivedMs;
  const result = await hold(
    () => {
      sentMs = clock.now();
      const isPicky = resilience.enabled;
      return attempt(request, {
        upstream,
        clock,
        signal,
        secrets,
        firstByteTimeoutMs,
        idleTimeoutMs,
        isPicky,
      });
    },
    { resilience, env, clock, lang, signal, agentId, memory: lane.memory, onHold: lane.options.onHold },
  );
  if (result.kind === "trouble") await answerTrouble(passage, result, sentMs);
  else await answer(passage, result);
}

async function answerTrouble(passage: Passage, trouble: Trouble, sentMs: number): Promise<void> {
  const { exchange, relay } = passage;
  const { status, headers, body } = trouble.answer;
  exchange.lane.lastError = trouble.error;
  report(passage, { status, sentMs, complete: false, bytes: body.length, requestId: requestIdOf(headers) });
  // Without a hold the client's own retries are the first line, and not to be stopped.
  const own = relay.resilience.enabled
    ? [...withoutHeaders(headers, DO_NOT_RETRY[0]), ...DO_NOT_RETRY]
    : headers;
  exchange.response.writeHead(status, [...own, "content-length", String(body.length)]);
  exchange.response.end(exchange.incoming.method === "HEAD" ? undefined : body);
}

async function answer(passage: Passage, found: Answer): Promise<void> {
  const { exchange, relay } = passage;
  const { response, lane } = exchange;
  const { meter, status, sentMs } = found;
  let bytes = 0;
  let firstByteMs: number | null = null;
  let complete = false;
  let cut: string | undefined;
  try {
    response.sendDate = false;
    response.writeHead(status, responseHeaders(found.headers));
    await writeAll(response, async () => {
      const chunk = await found.next();
      if (chunk !== undefined) {
        firstByteMs ??= relay.clock.now() - sentMs;
        bytes += chunk.length;
      }
      return chunk;
    });
    complete = meter.isWhole;
  } catch (thrown) {
    if (!(thrown instanceof CutError) && !passage.signal.aborted) throw thrown;
    cut = thrown instanceof CutError ? thrown.message : undefined;
    // The client must see that something is missing.
    response.destroy();
  } finally {
    found.end();
    lane.lastError = cut ?? errorOf(found, relay.identity.secrets);
    report(passage, {
      status,
      sentMs,
      complete,
      bytes,
      firstByteMs,
      requestId: requestIdOf(found.headers),
      model: meter.model,
      tokens: meter.tokens,
    });
  }
}

/** What an answer says that went through as it is: 401 and its like, or an error in a stream that had begun. */
function errorOf({ status, meter }: Answer, secrets: readonly string[]): string | undefined {
  const isError = status >= 400 || (meter.isStream && meter.errorBody !== undefined);
  return isError ? statusText(status, meter.errorBody ?? "", secrets) : undefined;
}

type Finding = Pick<RequestUsage, "status" | "complete" | "bytes" | "requestId"> &
  Partial<Pick<RequestUsage, "tokens" | "firstByteMs">> & {
    readonly sentMs: number;
    readonly model?: string | undefined;
  };

function report(passage: Passage, { sentMs, model, ...found }: Finding): void {
  const { relay, exchange, arrivedMs, agentId, isMessage, body } = passage;
  if (!isMessage) return;
  exchange.lane.options.onUsage?.({
    firstByteMs: null,
    tokens: NO_TOKENS,
    ...found,
    model: model ?? askedModel(body),
    agentId,
    heldMs: sentMs - arrivedMs,
    durationMs: relay.clock.now() - arrivedMs,
  });
}
