import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pickOption } from "../../src/human/ask.ts";

describe("pickOption", () => {
  test.each([
    ["1", ["red", "blue"], "red"],
    [" 2 ", ["red", "blue"], "blue"],
    ["2.", ["red", "blue"], "blue"],
    ["２", ["red", "blue"], "blue"],
    ["0", ["red", "blue"], "0"],
    ["3", ["red", "blue"], "3"],
    ["2 of them", ["red", "blue"], "2 of them"],
    ["2", [], "2"],
    ["-1", ["red"], "-1"],
    ["1.5", ["red"], "1.5"],
    ["3", ["1", "3", "5"], "3"],
    ["2", ["1", "3", "5"], "3"],
    ["", ["red"], ""],
  ])("%j of %j is %j", (text, options, picked) => {
    expect(pickOption(text, options)).toBe(picked);
  });

  test("an option that is said word for word is that option", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.string({ minLength: 1 }).map((s) => s.trim()),
          { minLength: 1 },
        ),
        (options) => {
          for (const option of options) expect(pickOption(option, options)).toBe(option);
        },
      ),
    );
  });
});
