import { expect, test } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import {
  BRIEF_HEADINGS,
  DEGRADED_MARK,
  EMPTY,
  GOAL_HEADINGS,
  HANDOFF_HEADINGS,
  NOT_FILLED,
  UNVERIFIABLE_MARK,
  VERDICT_HEADINGS,
  VERDICT_STATES,
} from "../../src/lang/headings.ts";
import type { Lang, PerLang } from "../../src/lang/lang.ts";
import { CLARIFIER_RULES } from "../../src/lang/rules/clarifier-rules.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";

function written(headings: Readonly<Record<string, PerLang<readonly string[]>>>, lang: Lang): unknown[] {
  return Object.values(headings).map((names) => names[lang][0]);
}

test("what stands in files of both languages is pinned", () => {
  expect(written(BRIEF_HEADINGS, "zh")).toEqual(["目标", "验收标准", "边界", "未知与假设"]);
  expect(written(BRIEF_HEADINGS, "en")).toEqual([
    "Goal",
    "Acceptance criteria",
    "Boundaries",
    "Unknowns and assumptions",
  ]);
  expect(written(GOAL_HEADINGS, "zh")).toEqual(["目标", "判定清单"]);
  expect(written(GOAL_HEADINGS, "en")).toEqual(["Goal", "Checklist"]);
  expect(written(VERDICT_HEADINGS, "zh")).toEqual(["结论", "理由", "未通过"]);
  expect(written(VERDICT_HEADINGS, "en")).toEqual(["Conclusion", "Reason", "Failed"]);
  expect(written(HANDOFF_HEADINGS, "zh")).toEqual(["现在在做", "已定的事", "走不通的", "下一步", "现场"]);
  expect(written(HANDOFF_HEADINGS, "en")).toEqual([
    "Doing now",
    "Decided",
    "Dead ends",
    "Next step",
    "Scene",
  ]);
  expect(Object.values(VERDICT_STATES.zh)).toEqual(["达成", "未达成", "无法达成"]);
  expect(Object.values(VERDICT_STATES.en)).toEqual(["achieved", "not yet", "unreachable"]);
  expect([NOT_FILLED, EMPTY]).toEqual([
    { zh: "(未填)", en: "(not filled)" },
    { zh: "(空)", en: "(empty)" },
  ]);
  expect([UNVERIFIABLE_MARK.zh("甲"), UNVERIFIABLE_MARK.en("a")]).toEqual([
    "[此环境无法验证:甲]",
    "[unverifiable here: a]",
  ]);
  expect(DEGRADED_MARK).toEqual({ zh: "[降级:交接没写成]", en: "[degraded: handoff not written]" });
});

test("every name of a section opens it, in every document", () => {
  for (const lang of ["zh", "en"] as const) {
    for (const [key, names] of Object.entries(BRIEF_HEADINGS)) {
      for (const name of names[lang])
        expect(Brief.parse(`## ${name}\nx`)).toMatchObject({ [key]: "x", lang });
    }
    for (const [key, names] of Object.entries(HANDOFF_HEADINGS)) {
      for (const name of names[lang]) expect(Handoff.parse(`${name}: x`)).toMatchObject({ [key]: "x", lang });
    }
    for (const name of GOAL_HEADINGS.checks[lang])
      expect(Goal.parse(`**${name}**\n- x`).checks).toEqual(["x"]);
    for (const name of VERDICT_HEADINGS.failed[lang])
      expect(Verdict.parse(`${name}:\n- x`).failed).toEqual(["x"]);
    for (const name of VERDICT_HEADINGS.conclusion[lang]) {
      expect(Verdict.parse(`${name}: achieved`).achieved).toBe(true);
    }
  }
});

test("the forms that the rules ask models for are the forms that are read", () => {
  for (const lang of ["zh", "en"] as const) {
    expect(Brief.parse(CLARIFIER_RULES[lang])).toMatchObject({ lang });
    expect(Brief.parse(CLARIFIER_RULES[lang]).missing()).toEqual([]);
    expect(Goal.parse(JUDGE_RULES[lang]).missing()).toEqual([]);
    expect(Verdict.parse(JUDGE_RULES[lang]).missing()).toEqual([]);
  }
});
