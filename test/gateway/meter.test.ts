import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMeter } from "../../src/gateway/meter.ts";
import { apiError, DELTA, event, SSE, START, STOP, STREAM, TEXT } from "./world.ts";

const TOKENS = { input: 7, cacheRead: 20, cacheWrite5m: 4, cacheWrite1h: 8, output: 42 };

function meterOf(text: string, headers: readonly string[] = SSE) {
  const meter = createMeter(headers);
  meter.write(Buffer.from(text));
  return meter;
}

describe("the meter of a stream", () => {
  test("reads tokens by class, the model and the end, wherever the bytes are cut", () => {
    const bytes = Buffer.from(STREAM.replaceAll("claude-served", "模型-served"));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 10 }), (cuts) => {
        const meter = createMeter(SSE);
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        places.slice(1).forEach((place, index) => {
          meter.write(bytes.subarray(places[index], place));
        });
        expect([meter.tokens, meter.model, meter.isWhole]).toEqual([TOKENS, "模型-served", true]);
      }),
    );
  });

  test("knows what a cut stream has cost so far", () => {
    const meter = meterOf(START + TEXT);
    expect(meter.tokens).toEqual({ ...TOKENS, output: 1 });
    expect(meter.isWhole).toBe(false);
  });

  test("takes later numbers as totals, and keeps the parts of a sum that did not change", () => {
    const usage = { input_tokens: 9, cache_creation_input_tokens: 12, output_tokens: 5 };
    expect(meterOf(START + event("message_delta", { usage })).tokens).toEqual({
      ...TOKENS,
      input: 9,
      output: 5,
    });
  });

  test("counts cache writes without parts as the kind of five minutes", () => {
    const message = { model: "m", usage: { input_tokens: 1, cache_creation_input_tokens: 30 } };
    expect(meterOf(event("message_start", { message })).tokens).toMatchObject({
      cacheWrite5m: 30,
      cacheWrite1h: 0,
    });
  });

  test.each([
    ["null", { input_tokens: null, output_tokens: 3 }],
    ["texts and negative numbers", { input_tokens: "7", cache_read_input_tokens: -1, output_tokens: 3 }],
    ["a broken part", { cache_creation: "x", output_tokens: 3 }],
  ])("%s in a usage leaves what was known", (_name, usage) => {
    expect(meterOf(START + event("message_delta", { usage })).tokens).toEqual({ ...TOKENS, output: 3 });
  });

  test.each([
    "data: not json\n\n",
    "event: message_start\ndata: {}\n\n",
    "event: message_delta\ndata: 1\n\n",
  ])("%j is passed over", (broken) => {
    expect(meterOf(broken + STREAM).tokens).toEqual(TOKENS);
  });

  test("reads events without an `event:` line", () => {
    const bare = STREAM.replaceAll(/^event: .*\n/gm, "");
    const meter = meterOf(bare);
    expect([meter.tokens, meter.isWhole]).toEqual([TOKENS, true]);
  });

  test("keeps the first event and an error", () => {
    expect(meterOf(STREAM).firstEvent?.name).toBe("message_start");
    const data = apiError("overloaded_error", "Overloaded");
    const meter = meterOf(START + event("error", data as object));
    expect(JSON.parse(meter.errorBody ?? "")).toEqual(data);
    expect(meter.isWhole).toBe(false);
  });

  test("holds nothing of what it need not read", () => {
    const meter = createMeter(SSE);
    meter.write(Buffer.from(START));
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 400; sent += 1)
      meter.write(Buffer.from(TEXT.replace("more", "m".repeat(100_000))));
    meter.write(Buffer.from(`data: ${"x".repeat(1_000_000)}`));
    globalThis.gc?.();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
    meter.write(Buffer.from(`\n\n${DELTA}${STOP}`));
    expect(meter.tokens.output).toBe(42);
  });
});

describe("the meter of a plain answer", () => {
  const plain = ["content-type", "application/json"];

  test("reads the usage and the model", () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 };
    const meter = meterOf(JSON.stringify({ type: "message", model: "m", content: [], usage }), plain);
    expect(meter.tokens).toEqual({ input: 3, cacheRead: 4, cacheWrite5m: 0, cacheWrite1h: 0, output: 5 });
    expect([meter.model, meter.isWhole]).toEqual(["m", true]);
  });

  test.each(["", "{", "[]", '{"input_tokens": 4}', "<html>"])("finds nothing in %j", (text) => {
    const meter = meterOf(text, plain);
    expect([meter.model, meter.tokens.input]).toEqual([undefined, 0]);
    expect(meter.errorBody).toBe(text);
  });

  test("an encoded answer is not read", () => {
    const meter = meterOf(STREAM, [...SSE, "content-encoding", "gzip"]);
    expect([meter.isStream, meter.tokens.input, meter.errorBody]).toEqual([false, 0, undefined]);
  });
});
