import type { IncomingMessage } from "node:http";
import { firstCodePoints, oneLine } from "../base/text.ts";
import { headerValue, type RawHeaders } from "./headers.ts";

/** The subagent that asks; null for the main thread (CLI 2.1.332). */
export function agentOf({ headers }: IncomingMessage): string | null {
  const id = headers["x-claude-code-agent-id"];
  return typeof id === "string" ? shortened(id) : null;
}

/** What the API calls this request, from the headers of its answer. */
export function requestIdOf(headers: RawHeaders): string | null {
  const id = headerValue(headers, "request-id");
  return id === undefined ? null : shortened(id);
}

function shortened(id: string): string {
  return firstCodePoints(oneLine(id), 100);
}

/**
 * Two fields of a request, found without parsing what may be megabytes. Inside a string of JSON a quote is never
 * without its backslash, so that these match fields only; one of an inner object could be taken for the outer one,
 * which costs a wrong time-out or a wrong name beside an error, and the CLI writes neither.
 */
const STREAMS = '"stream":true';
const MODEL = /"model":\s*"([^"\\]{1,200})"/;

/** The model that a request names, when it does so early; else empty. */
export function askedModel(body: Buffer): string {
  return MODEL.exec(body.toString("latin1", 0, 4_096))?.[1] ?? "";
}

/** A stream begins soon; a plain answer comes when all of it is written, for which the CLI allows ten minutes. */
const STREAM_FIRST_BYTE_MS = 300_000;
const PLAIN_FIRST_BYTE_MS = 600_000;

/** How long the first byte of the answer to this request may take, when nobody has decided it. */
export function defaultFirstByteTimeoutMs(body: Buffer): number {
  return body.includes(STREAMS) ? STREAM_FIRST_BYTE_MS : PLAIN_FIRST_BYTE_MS;
}
