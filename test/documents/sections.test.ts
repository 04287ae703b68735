import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutFences } from "../../src/documents/fences.ts";
import { headingMatcher } from "../../src/documents/heading.ts";
import { bodyOf, scanSections } from "../../src/documents/sections.ts";
import { linesOf, tidyLines, tidyText } from "../../src/documents/tidy.ts";
import { BRIEF_HEADINGS } from "../../src/lang/headings.ts";
import { trickyText } from "./arbitraries.ts";

const match = headingMatcher([
  ["goal", BRIEF_HEADINGS.goal],
  ["accept", BRIEF_HEADINGS.accept],
  ["bounds", BRIEF_HEADINGS.bounds],
  ["unknowns", BRIEF_HEADINGS.unknowns],
]);

function read(text: string): Record<string, string> {
  const scan = scanSections(text, match);
  const keys = ["goal", "accept", "bounds", "unknowns"] as const;
  return Object.fromEntries(keys.map((key) => [key, bodyOf(scan, key)]).filter(([, body]) => body !== ""));
}

describe("a heading", () => {
  test.each([
    "## 边界",
    "##边界",
    "# 边界 #",
    "###### 边界 ######",
    "**边界**",
    "**边界**:",
    "**边界：**",
    "__边界__",
    "***边界***",
    "【边界】",
    "边界:",
    "边界 ：",
    "3. 边界",
    "3、边界",
    "3) 边界:",
    "（三）边界",
    "三、边界",
    "### 3. **边界**:",
    "**3. 边界**",
    "3. **边界**",
    "   ## 边界",
    "## 🚧 边界",
    "## Boundaries",
    "## BOUNDARIES",
    "## Boundaries ##",
    "**Boundaries:**",
    "Boundaries:",
    "3. Boundaries",
    "## 3. Scope",
  ])("%j opens its section", (heading) => {
    expect(read(`目标: 甲\n${heading}\n不动接口`)).toEqual({ goal: "甲", bounds: "不动接口" });
  });

  test.each([
    "## 边界 不动接口",
    "## 边界: 不动接口",
    "## 边界 - 不动接口",
    "## 边界 — 不动接口 ##",
    "**边界** 不动接口",
    "**边界**：不动接口",
    "**边界:** 不动接口",
    "**边界：不动接口**",
    "边界: 不动接口",
    "边界：不动接口",
    "3. 边界: 不动接口",
    "3. 边界 不动接口",
    "### 3. **边界**: 不动接口",
    "Boundaries: 不动接口",
    "## Boundaries 不动接口",
    "3. Boundaries: 不动接口",
  ])("%j opens its section with the text on its line", (line) => {
    expect(read(`## 目标\n甲\n${line}\n第二行`)).toEqual({ goal: "甲", bounds: "不动接口\n第二行" });
  });

  test.each([
    "Goal posts moved last week",
    "Goals are listed elsewhere",
    "The Goal: nothing",
    "目标是做一个解析器",
    "目标用户: 开发者",
    "## 目标用户",
    "## Goalkeeper",
    "**Goal posts** moved",
    "**目标用户**: 开发者",
    "3. Goal posts moved",
    "3. 目标用户",
    "边界情况都要测",
    "目标",
    "Goal",
    "- Goal: in a list",
    "- **Goal**: in a list",
    "* 目标: 列表里",
    "> ## Goal",
    "> 目标: 引用里",
    "    ## Goal",
    "\t## Goal",
    "####### Goal",
    "| Goal | x |",
  ])("%j is none", (line) => {
    expect(read(`## 验收标准\n${line}\n乙`)).toEqual({ accept: tidyLines(`${line}\n乙`) });
  });

  test("is found under its longest name, so that 未知 does not swallow 未知与假设", () => {
    expect(read("## 未知与假设\n甲")).toEqual({ unknowns: "甲" });
    expect(read("未知: 甲")).toEqual({ unknowns: "甲" });
    expect(read("Unknowns and assumptions: a")).toEqual({ unknowns: "a" });
  });
});

describe("a section", () => {
  test("that comes again counts once: the first one with content", () => {
    expect(read("## 目标\n\n## 边界\n乙\n## 目标\n甲\n## 目标\n丙")).toEqual({ goal: "甲", bounds: "乙" });
    expect(read("目标: A\n目标: B")).toEqual({ goal: "A" });
    expect(read("## 目标\n(未填)\n## Goal\nreal")).toEqual({ goal: "real" });
  });

  test.each([
    "(未填)",
    "（未填）",
    "(空)",
    "（空）",
    "(not filled)",
    "（Not filled）",
    "(empty)",
    "*(empty)*",
  ])("that holds only the placeholder %s is empty", (placeholder) => {
    expect(read(`## 目标\n\n${placeholder}\n\n## 边界 ${placeholder}\n`)).toEqual({});
  });

  test("keeps items and lines that name a section it already has", () => {
    const accept = "1. 目标: 画面出现\n2. 边界: 空输入不崩";
    expect(read(`## 目标\n甲\n## 边界\n丙\n## 验收标准\n${accept}`)).toEqual({
      goal: "甲",
      bounds: "丙",
      accept,
    });
    expect(read("## Boundaries\n- no network\nScope: only src/")).toEqual({
      bounds: "- no network\nScope: only src/",
    });
  });

  test("keeps headings that are not ours", () => {
    expect(read("# 需求\n\n前言\n\n## 目标\n甲\n### 细节\n乙")).toEqual({ goal: "甲\n### 细节\n乙" });
  });

  test("is read whatever ends its lines and whatever mark stands before the text", () => {
    expect(read("\uFEFF## 目标\r\n甲\r\n\r\n乙\r## 边界\r丙")).toEqual({ goal: "甲\n\n乙", bounds: "丙" });
  });
});

describe("fenced code", () => {
  test("is removed, headings in it and all", () => {
    expect(read("## 目标\n甲\n```md\n## 边界\n假的\n```\n乙\n## 边界\n真的")).toEqual({
      goal: "甲\n乙",
      bounds: "真的",
    });
  });

  test("around the whole text is taken off when it is a Markdown fence, for every document", () => {
    expect(read("```markdown\n## 目标\n甲\n## 边界\n乙\n```\n")).toEqual({ goal: "甲", bounds: "乙" });
    expect(read("```\n## 目标\n甲\n```")).toEqual({});
    expect(read("```md\n## 目标\n甲\n```\n## 边界\n乙")).toEqual({ bounds: "乙" });
  });

  test("is noted where it was removed", () => {
    const scan = scanSections("```\na\n```\n## 目标\n甲\n## 边界\n乙\n```\nb\n```", match);
    expect([scan.preambleFenced, ...scan.sections.map(({ fenced }) => fenced)]).toEqual([true, false, true]);
  });

  test("takes everything after it along when it is never closed", () => {
    expect(read("## 目标\n甲\n~~~\n## 边界\n乙\n```\n## 验收标准\n丙")).toEqual({ goal: "甲" });
  });

  test("property: nothing after an unclosed fence is read", () => {
    fc.assert(
      fc.property(trickyText, trickyText, fc.constantFrom("`", "~"), (before, after, character) => {
        fc.pre(withoutFences(linesOf(before)).open === undefined);
        const fence = character.repeat(200);
        expect(scanSections(`${before}\n${fence}\n${after}`, match)).toEqual({
          ...scanSections(before, match),
          cutOff: true,
        });
      }),
    );
  });
});

test("property: scanning never throws, and what it finds is tidy", () => {
  fc.assert(
    fc.property(trickyText, (text) => {
      for (const { body } of scanSections(text, match).sections) expect(tidyText(body)).toBe(body);
    }),
    { numRuns: 500 },
  );
});

test("property: tidying twice changes nothing more", () => {
  fc.assert(
    fc.property(trickyText, (text) => {
      expect(tidyText(tidyText(text))).toBe(tidyText(text));
    }),
  );
});

test.each([
  ["spaces", `## Goal a${" ".repeat(300_000)}b`],
  ["hashes", `## Goal a${"#".repeat(300_000)}b`],
  ["hash marks with spaces", `## Goal ${" #".repeat(150_000)} b`],
  ["bold", "*".repeat(300_000)],
  ["backslashes", `${"\\".repeat(300_000)}## Goal`],
  ["short lines", "## 目标\n".repeat(50_000)],
  ["backticks", `${"`".repeat(300_000)}a\`b`],
  ["list markers", `${"- ".repeat(150_000)}x`],
])("a text of hundreds of kilobytes of %s is read without going round in circles", (_what, text) => {
  expect(scanSections(text, match).sections.length).toBeLessThanOrEqual(50_000);
});
