import fc from "fast-check";
import { expect, test } from "vitest";
import { matchId, shortLength } from "../../src/store/id-prefix.ts";

const ids = ["abcdef01-1", "abcdef02-1", "abcdef02-2", "short"];

test.each([
  ["abcdef01", { kind: "one", id: "abcdef01-1" }],
  ["abcdef02-2", { kind: "one", id: "abcdef02-2" }],
  ["short", { kind: "one", id: "short" }],
  ["abcde", { kind: "short" }],
  ["", { kind: "short" }],
  ["abcdef03", { kind: "none" }],
  ["abcdef", { kind: "several", ids: ["abcdef01-1", "abcdef02-1", "abcdef02-2"] }],
])("%j is found as it should", (text, match) => {
  expect(matchId(ids, text)).toEqual(match);
});

test("an id that is written out is itself, also when another begins with it; twice the same is one", () => {
  expect(matchId(["abcdef", "abcdef-2"], "abcdef")).toEqual({ kind: "one", id: "abcdef" });
  expect(matchId(["abcdef-2", "abcdef-2"], "abcdef")).toEqual({ kind: "one", id: "abcdef-2" });
});

test("ids cut at the short length are still told apart, and are never shorter than eight", () => {
  expect(shortLength([])).toBe(8);
  expect(shortLength(["aaaaaaaaaa1", "aaaaaaaaaa2"])).toBe(11);
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[ab]{10,12}$/)), (some) => {
      const length = shortLength(some);
      expect(length).toBeGreaterThanOrEqual(8);
      expect(new Set(some.map((id) => id.slice(0, length))).size).toBe(some.length);
    }),
  );
});
