import type { Clock } from "../base/clock.ts";
import { DO_NOT_RETRY } from "./api-error.ts";
import { withoutSecrets } from "./error-text.ts";
import { headerValue, type RawHeaders, withoutHeaders } from "./headers.ts";
import { createMeter, type Meter } from "./meter.ts";
import {
  canPassStatus,
  connectionTrouble,
  eventTrouble,
  SilenceError,
  statusTrouble,
  type Trouble,
} from "./trouble.ts";
import type { Upstream, UpstreamRequest, UpstreamResponse } from "./upstream.ts";
import { watchSilence } from "./wait.ts";

/** An answer that is worth relaying: its headers and its first bytes are there. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: RawHeaders;
  readonly meter: Meter;
  /** Clock time of the send. */
  readonly sentMs: number;
  /**
   * The next bytes; undefined when the answer is complete. Throws `CutError` when it broke, and the signal's reason
   * when that aborts.
   */
  readonly next: () => Promise<Buffer | undefined>;
  /** Lets go of connection and timer; at any time, any number of times. */
  readonly end: () => void;
}

/** An answer broke after something of it had been relayed. */
export class CutError extends Error {}

export interface AttemptOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly secrets: readonly string[];
  /** Until the first byte of the answer's body. */
  readonly firstByteTimeoutMs: number;
  /** Between two chunks of it. */
  readonly idleTimeoutMs: number;
  /** False: whatever answer comes is taken as it is. */
  readonly isPicky: boolean;
}

/**
 * Sends a request once. Nothing is given back before it is known whether the answer is worth relaying: a status
 * that passes, a break before the first byte and an error as first event are troubles.
 *
 * Rejects with the signal's reason when that aborts, and never otherwise.
 */
export async function attempt(request: UpstreamRequest, options: AttemptOptions): Promise<Answer | Trouble> {
  const { upstream, clock, signal, secrets } = options;
  const line = openLine(options);
  const fail = (thrown: unknown): Trouble => {
    line.end();
    signal.throwIfAborted();
    return connectionTrouble(line.silence ?? thrown, upstream.authority);
  };
  const sentMs = clock.now();
  try {
    signal.throwIfAborted();
    line.expect(options.firstByteTimeoutMs);
    const response = await upstream.send(request, line.signal);
    line.discard = response.discard;
    let answered = response;
    if (response.status >= 400) {
      const body = await readErrorBody(response, {
        secrets,
        expectMore: () => line.expect(options.idleTimeoutMs),
      });
      if (options.isPicky && canPassStatus(response.status, response.headers)) {
        line.end();
        signal.throwIfAborted();
        return statusTrouble({ ...response, body, nowMs: clock.now(), secrets });
      }
      // The length of an answer to HEAD is not its own.
      if (request.method !== "HEAD") answered = refusal(response, body);
    }
    const { head, meter, isOver } = await peek(answered, options.isPicky);
    const first = meter.firstEvent;
    if (options.isPicky && first?.data !== undefined && meter.errorBody === first.data) {
      const { headers } = response;
      const trouble = eventTrouble({ data: first.data, headers, nowMs: clock.now(), secrets });
      if (trouble !== undefined) {
        line.end();
        return trouble;
      }
    }
    if (options.isPicky && meter.isStream && isOver && first === undefined) {
      return fail(new SilentEndError());
    }
    const next = nextOf({ head, isOver, meter, response: answered, line, options });
    return { kind: "answer", ...answered, meter, sentMs, next, end: line.end };
  } catch (thrown) {
    return fail(thrown);
  }
}

/**
 * An error that is relayed. A credential that is refused is refused for good; the CLI would ask ten times, for three
 * minutes (2.1.332).
 */
function refusal(response: UpstreamResponse, body: Buffer): UpstreamResponse {
  const headers = [
    ...withoutHeaders(response.headers, "content-length"),
    "content-length",
    String(body.length),
  ];
  const final = [...withoutHeaders(headers, DO_NOT_RETRY[0]), ...DO_NOT_RETRY];
  return { ...response, headers: response.status === 401 ? final : headers, body: once(body) };
}

async function* once(body: Buffer): AsyncGenerator<Buffer> {
  if (body.length > 0) yield body;
}

/** A stream that ended before its first event. */
class SilentEndError extends Error {
  readonly code = "ECONNRESET";
}

/** More than the first event of any message takes. */
const PEEK_BYTES = 64 * 1024;

interface Head {
  readonly head: Buffer[];
  readonly meter: Meter;
  /** Whether the head is all there is. */
  readonly isOver: boolean;
}

/** Reads until there is a first byte, and of a stream until its first event is complete. */
async function peek(response: UpstreamResponse, isPicky: boolean): Promise<Head> {
  const meter = createMeter(response.headers);
  const head: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await read(response);
    if (chunk === undefined) return { head, meter, isOver: true };
    meter.write(chunk);
    head.push(chunk);
    bytes += chunk.length;
    const isDecided = !isPicky || !meter.isStream || meter.firstEvent !== undefined || bytes > PEEK_BYTES;
    if (isDecided) return { head, meter, isOver: false };
  }
}

function nextOf(
  of: Head & { response: UpstreamResponse; line: Line; options: AttemptOptions },
): Answer["next"] {
  const { head, isOver, meter, response, line, options } = of;
  const { signal, upstream } = options;
  line.rest();
  return async () => {
    const ready = head.shift();
    if (ready !== undefined) return ready;
    if (isOver) return undefined;
    line.expect(options.idleTimeoutMs);
    try {
      const chunk = await read(response);
      if (chunk !== undefined) meter.write(chunk);
      return chunk;
    } catch (thrown) {
      signal.throwIfAborted();
      throw new CutError(connectionTrouble(line.silence ?? thrown, upstream.authority).error);
    } finally {
      // A client that takes its time is no silence of the upstream.
      line.rest();
    }
  };
}

async function read(response: UpstreamResponse): Promise<Buffer | undefined> {
  const { done, value } = await response.body.next();
  if (done) return undefined;
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
}

/** An error is a few hundred bytes; of a page that a proxy sends instead the beginning will do. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * What there is of an error's body: that the rest does not come changes nothing about the status. Without what it
 * repeats of a credential, because the CLI writes its words into the session.
 */
async function readErrorBody(
  response: UpstreamResponse,
  { secrets, expectMore }: { secrets: readonly string[]; expectMore: () => void },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    while (bytes < MAX_ERROR_BYTES) {
      expectMore();
      const chunk = await read(response);
      if (chunk === undefined) break;
      bytes += chunk.length;
      chunks.push(chunk);
    }
  } catch {
    // Cut, silent or abandoned; the caller looks at its signal.
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES);
  if ((headerValue(response.headers, "content-encoding") ?? "identity") !== "identity") return body;
  // Byte for byte in this encoding.
  return Buffer.from(withoutSecrets(body.toString("latin1"), secrets), "latin1");
}

/** The connection of one attempt: ended by the caller's signal, by silence, or because it is done with. */
interface Line {
  readonly signal: AbortSignal;
  readonly silence: SilenceError | undefined;
  discard: () => void;
  readonly expect: (ms: number) => void;
  readonly rest: () => void;
  readonly end: () => void;
}

function openLine({ clock, signal }: AttemptOptions): Line {
  const own = new AbortController();
  let silence: SilenceError | undefined;
  const watch = watchSilence(clock, () => {
    silence = new SilenceError("nothing came in time");
    own.abort(silence);
  });
  const onAbort = (): void => own.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const line: Line = {
    signal: own.signal,
    get silence() {
      return silence;
    },
    discard: () => undefined,
    expect: watch.expect,
    rest: watch.rest,
    end: () => {
      watch.stop();
      signal.removeEventListener("abort", onAbort);
      line.discard();
    },
  };
  return line;
}
