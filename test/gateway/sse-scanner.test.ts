import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSseScanner, type SseEvent } from "../../src/gateway/sse-scanner.ts";

const WANTED = new Set(["message_start", "error"]);

function scan(chunks: readonly Buffer[], maxDataBytes = 1_000): SseEvent[] {
  const events: SseEvent[] = [];
  const scanner = createSseScanner({ wanted: WANTED, maxDataBytes, onEvent: (event) => events.push(event) });
  for (const chunk of chunks) scanner.write(chunk);
  return events;
}

/** The bytes cut at these places, given as shares of the whole. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [
    0,
    ...at.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

/** How the standard reads it, written for clearness: whole text, then lines, then blocks. */
function reference(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let name = "";
  let data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/).slice(0, -1)) {
    if (line === "") {
      const isKept = name === "" || WANTED.has(name);
      if (data.length > 0) events.push({ name, data: isKept ? data.join("\n") : undefined });
      name = "";
      data = [];
      continue;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return events;
}

const word = fc.string({
  unit: fc.constantFrom("a", "é", "汉", "😀", " ", ":", "\t", "{", "data: "),
  maxLength: 12,
});
const line = fc.oneof(
  word.map((text) => `data: ${text}`),
  word.map((text) => `data:${text}`),
  fc.constantFrom("data", ": comment", "id: 7", "retry: 3", "eventual: x", "database: y", ":", "da"),
);
const block = fc.record({
  name: fc.constantFrom(undefined, "message_start", "error", "content_block_delta", "ping"),
  lines: fc.array(line, { maxLength: 4 }),
  nameLast: fc.boolean(),
});

describe("events out of bytes", () => {
  test("are what the standard says, wherever the bytes are cut and however lines end", () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 6 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        (blocks, end, at) => {
          const lines = blocks.flatMap(({ name, lines: own, nameLast }) => {
            const named = name === undefined ? [] : [`event: ${name}`];
            return nameLast ? [...own, ...named, ""] : [...named, ...own, ""];
          });
          const text = lines.map((one) => `${one}${end}`).join("");
          expect(scan(cut(Buffer.from(text), at))).toEqual(reference(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("come one by one when every byte comes alone", () => {
    const text = "event: error\r\ndata: 汉\r\ndata: b\r\n\r\ndata: c\n\n";
    const bytes = Buffer.from(text);
    expect(scan([...bytes].map((byte) => Buffer.from([byte])))).toEqual([
      { name: "error", data: "汉\nb" },
      { name: "", data: "c" },
    ]);
  });

  test("any bytes at all do no harm", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 })), (chunks) => {
        scan(chunks.map((chunk) => Buffer.from(chunk)));
      }),
    );
  });

  test("data longer than the limit is told without, in one line, in many, in one chunk or many", () => {
    const long = "x".repeat(300);
    for (const text of [`data: ${long}\n\n`, `data: ${long.slice(0, 60)}\n`.repeat(3) + "\n"]) {
      for (const at of [[], [0.2, 0.5, 0.7]]) {
        expect(scan(cut(Buffer.from(`${text}event: error\ndata: short\n\n`), at), 100)).toEqual([
          { name: "", data: undefined },
          { name: "error", data: "short" },
        ]);
      }
    }
  });

  test("an unfinished event is not told", () => {
    expect(scan([Buffer.from("event: error\ndata: a\n")])).toEqual([]);
  });
});
