import { describe, expect, test } from "vitest";
import { windowInError } from "../../src/runtime/window-in-error.ts";

describe("windowInError", () => {
  test.each([
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    [
      '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1,000,512 tokens > 1,000,000 maximum"}}',
      1_000_000,
    ],
    [
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
      200_000,
    ],
    ["This model's maximum context length is 131072 tokens. However, you requested 140000 tokens", 131_072],
  ])("%s", (text, tokens) => expect(windowInError(text)).toBe(tokens));

  test.each([
    "",
    "Prompt is too long",
    "prompt is too long: 210000 tokens > many maximum",
    "prompt is too long: 5 tokens > 3 maximum",
    "429 rate limit of 400,000 input tokens per minute",
  ])("names no window: %s", (text) => expect(windowInError(text)).toBeUndefined());
});
