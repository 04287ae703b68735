import fc from "fast-check";
import { expect, test } from "vitest";
import { columns, firstCodePoints, oneLine, plainText, truncateColumns } from "../../src/base/text.ts";

test("a cut never leaves half a character", () => {
  expect(firstCodePoints("a😀b", 2)).toBe("a😀");
  expect(firstCodePoints("abc", 10)).toBe("abc");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, max) => {
      const cut = firstCodePoints(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(Array.from(cut)).toEqual(Array.from(text).slice(0, max));
    }),
  );
});

test("a truncated line never exceeds its width", () => {
  expect(truncateColumns("收银合计算错了", 7)).toBe("收银合…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const line = oneLine(text);
      expect(columns(truncateColumns(line, width))).toBeLessThanOrEqual(Math.max(width, 1));
    }),
  );
});

test("what a model prints cannot steer the terminal", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b]0;title\u0007end\rback\u0000\u202e")).toBe("red endback");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainText(text)).not.toMatch(/[^\P{Cc}\n]/u);
    }),
  );
});
