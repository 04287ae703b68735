import {
  type WireAnswer,
  type WireBlock,
  type WireMessage,
  type WirePiece,
  wireUsage,
} from "./wire-message.ts";

/** The answer to a request with `stream`: server-sent events, in the order the Messages API sends them. */
export function wireStream(message: WireMessage): WireAnswer {
  const blocks = message.blocks.map(blockEvents);
  const before = [event("message_start", { message: emptyMessage(message) }), event("ping", {})];
  const after = [
    event("message_delta", {
      delta: { stop_reason: message.stopReason, stop_sequence: null },
      usage: wireUsage(message.usage, message.usage.output),
    }),
    event("message_stop", {}),
  ];
  const last = blocks.at(-1) ?? [];
  const untilLast = before.length + blocks.slice(0, -1).flat().length;
  return {
    contentType: "text/event-stream",
    pieces: [...before, ...blocks.flat(), ...after],
    middle: untilLast + Math.floor(last.length / 2),
  };
}

/** An `error` event after the status has been spent: what the API does when it fails while it streams. */
export function wireErrorEvent(error: unknown): string {
  return event("error", { error }).text;
}

function emptyMessage(message: WireMessage): unknown {
  return {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: wireUsage(message.usage, 1),
  };
}

function blockEvents(block: WireBlock, index: number): readonly WirePiece[] {
  const start = (content_block: unknown): WirePiece =>
    event("content_block_start", { index, content_block }, true);
  const delta = (value: unknown): WirePiece => event("content_block_delta", { index, delta: value });
  const stop = event("content_block_stop", { index });
  switch (block.type) {
    case "text":
      return [
        start({ type: "text", text: "" }),
        ...chunks(block.text).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...chunks(block.thinking).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "tool_use":
      return [
        start({ type: "tool_use", id: block.id, name: block.name, input: {} }),
        ...chunks(JSON.stringify(block.input)).map((partial_json) =>
          delta({ type: "input_json_delta", partial_json }),
        ),
        stop,
      ];
  }
}

/** About this many pieces a block: enough for a client to have to join them, few enough to stay quick. */
const CHUNKS_PER_BLOCK = 4;

/** Cut between code points: half a surrogate pair is no valid text on the wire. */
function chunks(text: string): readonly string[] {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / CHUNKS_PER_BLOCK));
  const out: string[] = [];
  for (let at = 0; at < points.length; at += size) out.push(points.slice(at, at + size).join(""));
  return out;
}

function event(type: string, data: object, startsBlock = false): WirePiece {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`, startsBlock };
}
