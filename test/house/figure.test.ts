import { describe, expect, test } from "vitest";
import { figure, formatJsonLines, formatTable } from "../../bench/figure.ts";

describe("a figure of the benchmarks", () => {
  test.each([
    [1.1, "<=1.15", true],
    [1.15, "<=1.15", true],
    [1.2, "<=1.15", false],
    [99, ">=100", false],
    [100, ">=100", true],
    [100, ">100", false],
    [1, "<1", false],
    [7, "", true],
  ])("%d against the target %s: %s", (value, target, ok) => {
    expect(figure({ bench: "x", value, unit: "ratio", target }).ok).toBe(ok);
  });

  test("refuses a target that is no comparison", () => {
    expect(() => figure({ bench: "x", value: 1, unit: "ratio", target: "about 1" })).toThrow(/no target/);
  });

  test("is one JSON line for programs", () => {
    const measured = figure({ bench: "overhead", value: 1.0512, unit: "ratio", target: "<=1.15" });
    expect(formatJsonLines([measured])).toBe(
      '{"bench":"overhead","value":1.0512,"unit":"ratio","target":"<=1.15","ok":true}',
    );
  });

  test("is one aligned row for people", () => {
    const met = figure({ bench: "overhead", value: 1.0512345, unit: "ratio", target: "<=1.15" });
    const missed = figure({ bench: "long-name", value: 1234, unit: "us", target: "<1000" });
    expect(formatTable([met, missed]).split("\n")).toEqual([
      "figure     value  unit   target",
      "---------  -----  -----  ------  ------",
      "overhead   1.051  ratio  <=1.15  ok",
      "long-name   1234  us     <1000   MISSED",
    ]);
  });
});
