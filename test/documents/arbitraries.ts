import fc from "fast-check";

/** Any sequence of UTF-16 units: NUL, control characters, lone surrogates and all. */
export const anyUnits: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

/** Lines that a scanner might trip over: headings of all documents, fences, lists, escapes, placeholders. */
const trickyLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      "",
      "",
      "",
      " ",
      "   ",
      "    ",
      "\t",
      "\\",
      "\\\\",
      " \\",
      "> ",
      "- ",
      "1. ",
      "- - ",
      "\u3000",
    ),
    fc.constantFrom(
      "## 目标",
      "## Goal",
      "# Acceptance criteria: x",
      "**边界**",
      "**Boundaries:** none",
      "目标:",
      "目标：做一个",
      "Goal posts moved",
      "3. 边界",
      "### 3. **Scope**: y",
      "未知与假设 :",
      "## 判定清单",
      "Checklist:",
      "## 结论",
      "- **Reason**: z",
      "**Reason**: z",
      "Failed: 3",
      "未通过：无",
      "现在在做:",
      "## Next step ##",
      "Decided",
      "# 交接 · 干活",
      "## 运行中补充",
      "## added on wake · 2025-01-31 14:03",
      "## whatever · —",
      "```",
      "````ts",
      "```a`b",
      "~~~",
      "~~~~ `x`",
      "(未填)",
      "（空）",
      "(empty)",
      "[x] box",
      "[ ] box",
      "---",
      "- - -",
      "none",
      "无",
      "achieved",
      "plain words",
      "普通文字",
    ),
    fc.constantFrom("", "", "", " ", "  tail", "：", " ##", "\u2028", "\r"),
  )
  .map((parts) => parts.join(""));

/** Text out of tricky lines and noise. */
export const trickyText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 5, arbitrary: trickyLine }, anyUnits), { maxLength: 8 })
  .chain((lines) => fc.constantFrom("\n", "\r\n", "\n\n").map((end) => lines.join(end)));

export const lang = fc.constantFrom("zh" as const, "en" as const);
