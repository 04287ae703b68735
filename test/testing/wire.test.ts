import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { reply } from "../../src/testing/index.ts";
import { wireJson, wireTokenCount } from "../../src/testing/wire-json.ts";
import { type WireAnswer, wireMessage } from "../../src/testing/wire-message.ts";
import { wireStream } from "../../src/testing/wire-stream.ts";

const anyReply = fc
  .record(
    {
      text: fc.string({ unit: "binary" }),
      thinking: fc.string({ unit: "grapheme" }),
      toolCalls: fc.array(
        fc.record({ name: fc.string(), input: fc.dictionary(fc.string(), fc.jsonValue()) }),
        { maxLength: 3 },
      ),
      usage: fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() }),
    },
    { requiredKeys: [] },
  )
  .map((options) => wireMessage(reply(options), "some-model", (bytes) => "ab".repeat(bytes)));

const eventSchema = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  message: z.looseObject({ usage: z.record(z.string(), z.number()) }).optional(),
  content_block: z.looseObject({ type: z.string() }).optional(),
  delta: z.record(z.string(), z.unknown()).optional(),
  usage: z.record(z.string(), z.number()).optional(),
});

/** Reads a stream back the way a client does. */
function readStream(answer: WireAnswer) {
  const events = answer.pieces.map((piece) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(piece.text) ?? [];
    const event = eventSchema.parse(JSON.parse(data ?? ""));
    expect(event.type).toBe(name);
    return event;
  });
  const blocks: Record<string, unknown>[] = [];
  let message: Record<string, unknown> = {};
  let json = "";
  for (const event of events) {
    const block = blocks.at(-1) ?? {};
    const { delta } = event;
    if (event.type === "message_start") message = { ...event.message };
    if (event.type === "content_block_start") {
      expect(event.index).toBe(blocks.length);
      json = "";
      blocks.push({ ...event.content_block });
    }
    if (event.type === "content_block_delta") {
      if (delta?.type === "text_delta") block.text = String(block.text) + String(delta.text);
      if (delta?.type === "thinking_delta") block.thinking = String(block.thinking) + String(delta.thinking);
      if (delta?.type === "signature_delta") block.signature = delta.signature;
      if (delta?.type === "input_json_delta") json += String(delta.partial_json);
    }
    if (event.type === "content_block_stop" && block.type === "tool_use") block.input = JSON.parse(json);
    if (event.type === "message_delta") message = { ...message, ...delta, usage: event.usage };
  }
  return { message: { ...message, content: blocks }, types: events.map((event) => event.type) };
}

describe("an answer on the wire", () => {
  test("says the same streamed and plain", () => {
    fc.assert(
      fc.property(anyReply, (message) => {
        const plain: unknown = JSON.parse(
          wireJson(message)
            .pieces.map((piece) => piece.text)
            .join(""),
        );
        expect(readStream(wireStream(message)).message).toEqual(plain);
      }),
    );
  });

  test("is cut in the middle after some of it, and before its end", () => {
    fc.assert(
      fc.property(anyReply, (message) => {
        for (const answer of [wireStream(message), wireJson(message), wireTokenCount(7)]) {
          expect(answer.middle).toBeGreaterThan(0);
          expect(answer.middle).toBeLessThan(answer.pieces.length);
        }
        const sent = wireStream(message).pieces.slice(0, wireStream(message).middle);
        const count = (type: string) =>
          sent.filter((piece) => piece.text.includes(`event: ${type}\n`)).length;
        const lastIsOpen = message.blocks.length > 0 ? 1 : 0;
        expect(count("content_block_start") - count("content_block_stop")).toBe(lastIsOpen);
      }),
    );
  });

  test("starts with one token of output and ends with all, cache included", () => {
    const usage = { input: 1, output: 200, cacheRead: 3, cacheWrite: 4 };
    const message = wireMessage(reply({ text: "x", usage }), "m", () => "00");
    const [start] = wireStream(message).pieces;
    expect(start?.text).toContain(
      '"usage":{"input_tokens":1,"cache_creation_input_tokens":4,"cache_read_input_tokens":3,"output_tokens":1}',
    );
    expect(readStream(wireStream(message)).message).toMatchObject({
      stop_reason: "end_turn",
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 4,
        cache_read_input_tokens: 3,
        output_tokens: 200,
      },
    });
  });

  test("thinks before it speaks, and calls tools last", () => {
    const step = reply({ toolCalls: [{ name: "Bash", input: {} }], text: "t", thinking: "h" });
    const { message, types } = readStream(wireStream(wireMessage(step, "m", () => "00")));
    expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use"]);
    expect(message).toMatchObject({ stop_reason: "tool_use", model: "m" });
    expect(types[0]).toBe("message_start");
    expect(types.at(-1)).toBe("message_stop");
  });

  test("is never cut inside a character", () => {
    const message = wireMessage(reply("🌻花🌸é"), "m", () => "00");
    for (const piece of wireStream(message).pieces) expect(piece.text).not.toMatch(/\\ud[89a-f]/);
    expect(readStream(wireStream(message)).message.content).toEqual([{ type: "text", text: "🌻花🌸é" }]);
  });
});
