import { z } from "zod";
import { headerValue, type RawHeaders } from "./headers.ts";
import { createSseScanner, type SseEvent } from "./sse-scanner.ts";
import { NO_TOKENS, type Tokens, usageSchema, withUsage } from "./tokens.ts";

/** Reads along what is relayed; holds on to little, changes nothing, and never throws. */
export interface Meter {
  write(chunk: Buffer): void;
  /** Whether the answer is a stream of events that can be read. */
  readonly isStream: boolean;
  /** The first event of a stream, once it is complete. */
  readonly firstEvent: SseEvent | undefined;
  readonly model: string | undefined;
  readonly tokens: Tokens;
  /** False for a stream that has not come to its `message_stop`. */
  readonly isWhole: boolean;
  /** Data of an `error` event, or a plain answer as far as it was kept. */
  readonly errorBody: string | undefined;
}

/** An event that matters to us is a few kilobytes at most; the beginning of a message is without its content. */
const MAX_EVENT_BYTES = 256 * 1024;
/** A plain answer of the longest output that any model has is below this. */
const MAX_PLAIN_BYTES = 8 * 1024 * 1024;

const WANTED = new Set(["message_start", "message_delta", "message_stop", "error"]);

const message = z.object({ model: z.string().catch(""), usage: usageSchema });
const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message_start"), message }),
  z.object({ type: z.literal("message_delta"), usage: usageSchema }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("error") }),
]);

/**
 * A meter for an answer with these headers. Usage comes from `message_start` and `message_delta` of a stream, or
 * from a plain message. An answer that is encoded although we asked for none is not read at all.
 */
export function createMeter(headers: RawHeaders): Meter {
  const encoding = headerValue(headers, "content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") return blindMeter();
  const type = headerValue(headers, "content-type")?.toLowerCase() ?? "";
  return type.startsWith("text/event-stream") ? streamMeter() : plainMeter();
}

function blindMeter(): Meter {
  return {
    write: () => undefined,
    isStream: false,
    firstEvent: undefined,
    model: undefined,
    tokens: NO_TOKENS,
    isWhole: true,
    errorBody: undefined,
  };
}

function streamMeter(): Meter {
  let firstEvent: SseEvent | undefined;
  let model: string | undefined;
  let tokens = NO_TOKENS;
  let isWhole = false;
  let errorBody: string | undefined;
  const take = (data: string): void => {
    const parsed = event.safeParse(parseJson(data));
    if (!parsed.success) return;
    switch (parsed.data.type) {
      case "message_start":
        model = parsed.data.message.model || undefined;
        tokens = withUsage(tokens, parsed.data.message.usage);
        break;
      case "message_delta":
        tokens = withUsage(tokens, parsed.data.usage);
        break;
      case "message_stop":
        isWhole = true;
        break;
      case "error":
        errorBody = data;
    }
  };
  const scanner = createSseScanner({
    wanted: WANTED,
    maxDataBytes: MAX_EVENT_BYTES,
    onEvent: (one) => {
      firstEvent ??= one;
      if (one.data !== undefined) take(one.data);
    },
  });
  return {
    write: (chunk) => scanner.write(chunk),
    isStream: true,
    get firstEvent() {
      return firstEvent;
    },
    get model() {
      return model;
    },
    get tokens() {
      return tokens;
    },
    get isWhole() {
      return isWhole;
    },
    get errorBody() {
      return errorBody;
    },
  };
}

function plainMeter(): Meter {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const text = (): string => Buffer.concat(chunks).toString("utf8");
  const read = (): z.infer<typeof message> | undefined => message.safeParse(parseJson(text())).data;
  return {
    write: (chunk) => {
      bytes += chunk.length;
      if (bytes <= MAX_PLAIN_BYTES) chunks.push(chunk);
      else chunks = [];
    },
    isStream: false,
    firstEvent: undefined,
    get model() {
      return read()?.model || undefined;
    },
    get tokens() {
      const usage = read()?.usage;
      return usage === undefined ? NO_TOKENS : withUsage(NO_TOKENS, usage);
    },
    isWhole: true,
    get errorBody() {
      return text();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
