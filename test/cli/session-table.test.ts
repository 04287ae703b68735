import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columns } from "../../src/base/text.ts";
import { ageMs, sizeText, timeText, tokensText } from "../../src/cli/commands/sessions/figures.ts";
import { type TableColumn, tableLines } from "../../src/cli/commands/sessions/table.ts";

const table = (step: string): TableColumn[] => [
  { title: "id", cells: ["0a1b2c3d"], align: "left" },
  { title: "步骤", cells: [step], align: "left", atLeast: 8, leaves: 3 },
  { title: "when", cells: ["2026-03-01 14:05"], align: "left", leaves: 2 },
  { title: "size", cells: ["1.0 KB"], align: "right", leaves: 1 },
];

test.each([
  [40, "x", "0a1b2c3d  x     2026-03-01 14:05  1.0 KB"],
  [40, "工作·verdict#1", "0a1b2c3d  工作·verdic…  2026-03-01 14:05"],
  [80, "工作·verdict#1", "0a1b2c3d  工作·verdict#1  2026-03-01 14:05  1.0 KB"],
  [20, "x", "0a1b2c3d  x"],
  [12, "a long name", "0a1b2c3d"],
])("at %i columns a table of %j gives way in order", (width, step, row) => {
  expect(tableLines(table(step), width)[1]).toBe(row);
});

test("no line is ever wider than the terminal, or holds anything that acts on it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 200 }), fc.string({ unit: "binary" }), (width, step) => {
      const lines = tableLines(table(step), width);
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        expect(columns(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});

describe("figures", () => {
  test.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [1024 * 1024 - 1, "1.0 MB"],
    [5.25 * 1024 ** 3, "5.3 GB"],
    [3000 * 1024 ** 3, "3000.0 GB"],
  ])("%i bytes", (bytes, text) => expect(sizeText(bytes)).toBe(text));

  test("tokens and times", () => {
    expect([tokensText(0), tokensText(71_449)]).toEqual(["-", "71.4K"]);
    expect(timeText(new Date(2026, 2, 1, 4, 5).getTime())).toBe("2026-03-01 04:05");
  });

  test.each<[string, number | undefined]>([
    ["12h", 43_200_000],
    ["30d", 2_592_000_000],
    ["2w", 1_209_600_000],
    ...["0d", "30", "d", "-1d", "1.5d", "1m", "30 d", "9999999999999w", ""].map(
      (text): [string, undefined] => [text, undefined],
    ),
  ])("an age of %j", (text, ms) => expect(ageMs(text)).toBe(ms));
});
