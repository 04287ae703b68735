import { type WireAnswer, type WireMessage, wireUsage } from "./wire-message.ts";

/** The answer to a request without `stream`: the message as one JSON object. */
export function wireJson(message: WireMessage): WireAnswer {
  return whole({
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: message.blocks,
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: wireUsage(message.usage, message.usage.output),
  });
}

/** The answer to `count_tokens`. */
export function wireTokenCount(tokens: number): WireAnswer {
  return whole({ input_tokens: tokens });
}

function whole(value: unknown): WireAnswer {
  const text = JSON.stringify(value);
  const half = Math.floor(text.length / 2);
  return {
    contentType: "application/json",
    pieces: [
      { text: text.slice(0, half), startsBlock: false },
      { text: text.slice(half), startsBlock: false },
    ],
    middle: 1,
  };
}
