import fc from "fast-check";
import { expect, describe as group, test } from "vitest";
import { DESCRIPTION_CHARS, describe } from "../../src/workbench/describe.ts";

group("what a file says about itself", () => {
  test.each([
    ["# desc: runs the suite", "runs the suite"],
    ["#!/bin/sh\n# desc: runs the suite\necho hi", "runs the suite"],
    ["// desc: counts lines", "counts lines"],
    ["-- desc: rows per table", "rows per table"],
    ["/* desc: builds the site */", "builds the site"],
    ["<!-- desc: the plan -->", "the plan"],
    ["# Desc：构建并运行", "构建并运行"],
    ["# first remark\n# desc: the real one", "the real one"],
    ["#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# Prints a tree", "Prints a tree"],
    ["// @ts-check\n// SPDX-License-Identifier: MIT\n// Fetches the pages", "Fetches the pages"],
    ["/**\n * Draws the chart.\n */", "Draws the chart."],
    ['"""Plots a file.\n\nMore."""\nimport os', "Plots a file."],
    ["'''\n\n  Reads a log.\n'''", "Reads a log."],
    ['"""One line."""', "One line."],
    ["# Why SQLite\n\nBecause.", "Why SQLite"],
    ["\ufeff# desc: after a byte order mark", "after a byte order mark"],
    ["import x from 'y';\n\n// Later remark\n", "Later remark"],
    ["#\n# ====\n# After a ruler", "After a ruler"],
    ["# desc:\n# something", "something"],
  ])("%j -> %j", (head, description) => {
    expect(describe(head)).toBe(description);
  });

  test.each([
    ["nothing at all", ""],
    ["an include is no comment", "#include <stdio.h>\n#define X 1\n"],
    ["an option is no comment", "--flag value\n"],
    ["a shebang alone", "#!/bin/bash\n"],
    ["an empty docstring", '""""""\n'],
  ])("says nothing: %s", (_name, head) => {
    expect(describe(head)).toBe("");
  });

  test("a desc line counts only within the first eight lines", () => {
    const below = (lines: number): string => `${"x = 1\n".repeat(lines)}# desc: found\n`;
    expect(describe(below(7))).toBe("found");
    expect(describe(`# remark\n${below(8)}`)).toBe("remark");
  });

  test("a description is cut at a hundred characters, never through one", () => {
    const text = "🌸".repeat(DESCRIPTION_CHARS + 5);
    expect(describe(`# desc: ${text}`)).toBe("🌸".repeat(DESCRIPTION_CHARS));
  });

  test("whatever a file holds, the description is one short line without control characters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("", "# ", "# desc: ", '"""'),
        (text, mark) => {
          const description = describe(`${mark}${text}`);
          expect(Array.from(description).length).toBeLessThanOrEqual(DESCRIPTION_CHARS);
          expect(description).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});
