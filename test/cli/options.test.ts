import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { valueParsers } from "../../src/cli/options.ts";

const parse = valueParsers("en");
const bad = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) });

describe("a budget in dollars", () => {
  test.each([
    ["5", 5],
    ["$2.50", 2.5],
    ["0.01", 0.01],
  ])("%s is %d", (value, usd) => {
    expect(parse.dollars(value)).toBe(usd);
  });

  test.each(["0", "0.00", "-5", "NaN", "Infinity", "1e3", "5$", "$$5", "", " ", "five", "9".repeat(400)])(
    "cannot be %j",
    (value) => {
      expect(() => parse.dollars(value)).toThrow(InvalidArgumentError);
    },
  );
});

describe("seconds", () => {
  test("are a number, or none for ever", () => {
    expect(["none", "0", "1.5", "1800"].map(parse.seconds)).toEqual([null, 0, 1.5, 1800]);
  });

  test.each(["-1", "NaN", "Infinity", "", "soon", "9".repeat(20)])("cannot be %j", (value) => {
    expect(() => parse.seconds(value)).toThrow(bad("none"));
  });
});

describe("whole numbers", () => {
  test("may be negative where that has a meaning, and have a least where it has none", () => {
    expect(["-1", "0", "12"].map(parse.integer)).toEqual([-1, 0, 12]);
    expect(parse.count(10_000)("200000")).toBe(200_000);
  });

  test.each(["1.5", "", "many", "9".repeat(20), "NaN"])("cannot be %j", (value) => {
    expect(() => parse.integer(value)).toThrow(InvalidArgumentError);
    expect(() => parse.count(1)(value)).toThrow(InvalidArgumentError);
  });

  test("are said with their least, in the reader's language", () => {
    expect(() => parse.count(10_000)("200")).toThrow(bad("10000"));
    expect(() => valueParsers("zh").count(10_000)("200")).toThrow(bad("不小于 10000 的整数"));
  });
});
