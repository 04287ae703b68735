import { errnoOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { errorBody } from "./api-error.ts";
import { parseApiError, statusText } from "./error-text.ts";
import { headerValue, type RawHeaders, responseHeaders, retryAfterMs, withoutHeaders } from "./headers.ts";

/** Why an attempt came to nothing, and what to tell the client if no other one does better. */
export interface Trouble {
  readonly kind: "trouble";
  /** For people and logs: "529 overloaded_error: Overloaded", "ECONNREFUSED host:port". */
  readonly error: string;
  /** Whether a server answered; if none did, the network may be away. */
  readonly wasReached: boolean;
  /** False when sending the same again, whenever that is, cannot help. */
  readonly canPass: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** When the usage limit is lifted that was hit, in milliseconds since the epoch. */
  readonly resetMs: number | undefined;
  readonly answer: PlainAnswer;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Whether an answer with this status is worth waiting for a better one: 408, 429 and everything from 500 up. */
export function canPassStatus(status: number, headers: RawHeaders): boolean {
  if (limitResetMs(status, headers) !== undefined) return true;
  // The API says so itself when waiting is in vain.
  if (headerValue(headers, "x-should-retry")?.trim().toLowerCase() === "false") return false;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * When the limit of a plan is lifted (session, week), if that is what this answer refuses a request for. The header
 * comes with other answers too, also with a 429 of another kind; then the status beside it is not `rejected`.
 */
function limitResetMs(status: number, headers: RawHeaders): number | undefined {
  if (status !== 429) return undefined;
  const refused = headerValue(headers, "anthropic-ratelimit-unified-status")?.trim() ?? "rejected";
  const reset = headerValue(headers, "anthropic-ratelimit-unified-reset")?.trim() ?? "";
  return refused === "rejected" && /^\d{10}(?:\.\d+)?$/.test(reset) ? Number(reset) * 1000 : undefined;
}

/** A server answered with a status that passes. */
export function statusTrouble(options: {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Buffer;
  readonly nowMs: number;
  readonly secrets: readonly string[];
}): Trouble {
  const { status, headers, body, nowMs, secrets } = options;
  const isText = (headerValue(headers, "content-encoding") ?? "identity") === "identity";
  return {
    kind: "trouble",
    error: statusText(status, isText ? body.toString("utf8") : "", secrets),
    wasReached: true,
    canPass: true,
    retryAfterMs: retryAfterMs(headers, nowMs),
    resetMs: limitResetMs(status, headers),
    answer: { status, headers: withoutHeaders(responseHeaders(headers), "content-length"), body },
  };
}

/** The statuses that the errors would have had, had they come before the stream began. */
const EVENT_STATUS: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  api_error: 500,
  rate_limit_error: 429,
  timeout_error: 504,
};

/** A stream began with status 200, and with an error that passes; undefined for every other error. */
export function eventTrouble(options: {
  readonly data: string;
  readonly headers: RawHeaders;
  readonly nowMs: number;
  readonly secrets: readonly string[];
}): Trouble | undefined {
  const status = EVENT_STATUS[parseApiError(options.data)?.type ?? ""];
  if (status === undefined) return undefined;
  const headers = withoutHeaders(options.headers, "content-type", "content-length");
  return statusTrouble({
    ...options,
    status,
    headers: [...headers, "content-type", "application/json"],
    body: Buffer.from(options.data),
  });
}

/**
 * Ours, not the network's: a certificate that is not to be trusted, TLS spoken to a port that speaks none, a
 * request that cannot be sent, a proxy that wants other credentials.
 */
const CANNOT_PASS =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|ERR_(?:TLS|SSL)_|EPROTO$|UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED|PRX_TLS))|tunnel 40[0-7]\b/;

/** No server answered, or the connection broke before anything of the answer could be relayed. */
export function connectionTrouble(thrown: unknown, authority: string): Trouble {
  const reason = reasonOf(thrown);
  const error = `${reason} ${authority}`;
  return {
    kind: "trouble",
    error,
    wasReached: false,
    canPass: !CANNOT_PASS.test(reason),
    retryAfterMs: undefined,
    resetMs: undefined,
    answer: unreachableAnswer(error),
  };
}

function unreachableAnswer(error: string): PlainAnswer {
  const message = `the gateway of flower got no answer from the API: ${error}`;
  return {
    status: 502,
    headers: ["content-type", "application/json"],
    body: errorBody({ type: "api_error", message }),
  };
}

/** Something that was expected did not come in time. */
export class SilenceError extends Error {
  readonly code = "ETIMEDOUT";
}

/** A code, as short as there is one; a cause says more than what was wrapped around it. */
function reasonOf(thrown: unknown): string {
  // undici (6.29) tells a refusing proxy only in words, under a code that means an abort.
  const tunnel = thrown instanceof Error ? /Proxy response \((\d{3})\)/.exec(thrown.message)?.[1] : undefined;
  if (tunnel !== undefined) return `proxy tunnel ${tunnel}`;
  const code = errnoOf(thrown);
  // What undici reports when the other side closes; everybody else's name for it is this.
  if (code === "UND_ERR_SOCKET") return "ECONNRESET";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "ETIMEDOUT";
  if (code !== undefined) return oneLine(code);
  if (thrown instanceof Error && thrown.cause !== undefined) return reasonOf(thrown.cause);
  return thrown instanceof Error ? oneLine(thrown.name) : "unknown error";
}
