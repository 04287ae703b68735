import type { PerLang } from "./lang.ts";

/** How a section may be called in one language: the name we write first, then what else is understood. */
export type SectionNames = PerLang<readonly [written: string, ...understood: string[]]>;

/** The four sections of a brief, in their fixed order. */
export const BRIEF_HEADINGS = {
  goal: {
    zh: ["目标", "任务目标", "需求目标", "目的"],
    en: ["Goal", "Goals", "Objective", "Objectives"],
  },
  accept: {
    zh: ["验收标准", "验收条件", "验收"],
    en: ["Acceptance criteria", "Acceptance criterion", "Acceptance", "Definition of done"],
  },
  bounds: {
    zh: ["边界", "边界与约束", "边界和约束", "边界与范围", "范围与边界", "范围"],
    en: ["Boundaries", "Boundary", "Bounds", "Scope"],
  },
  unknowns: {
    zh: ["未知与假设", "未知和假设", "假设与未知", "未知", "假设"],
    en: [
      "Unknowns and assumptions",
      "Assumptions and unknowns",
      "Unknowns & assumptions",
      "Unknowns",
      "Assumptions",
    ],
  },
} as const satisfies Record<string, SectionNames>;

/** The two sections of a goal. */
export const GOAL_HEADINGS = {
  statement: {
    zh: ["目标", "目标陈述", "任务目标"],
    en: ["Goal", "Goal statement", "Objective"],
  },
  checks: {
    zh: ["判定清单", "检查清单", "验收清单", "判定标准", "判定项", "清单"],
    en: ["Checklist", "Check list", "Checks"],
  },
} as const satisfies Record<string, SectionNames>;

/** The three sections of a verdict. */
export const VERDICT_HEADINGS = {
  conclusion: {
    zh: ["结论", "判定结论", "判定结果", "最终结论", "判定"],
    en: ["Conclusion", "Final conclusion", "Final verdict", "Verdict"],
  },
  reason: {
    zh: ["理由", "判定理由", "原因"],
    en: ["Reason", "Reasons", "Reasoning", "Rationale"],
  },
  // A list under a name that is not here would be taken for a part of the reason, and the work would pass.
  failed: {
    zh: [
      "未通过",
      "未通过的",
      "未通过的条目",
      "未通过条目",
      "未通过的项",
      "未通过项",
      "未通过的检查项",
      "未通过检查项",
      "没通过的",
      "没通过的条目",
      "没有通过的",
      "没有通过的条目",
      "没有通过的检查项",
      "不通过的",
      "不通过的条目",
      "未达成的条目",
      "未达成条目",
      "未达成的检查项",
      "未满足的条目",
      "失败的条目",
      "失败条目",
      "失败的检查项",
      "失败项",
      "无法验证的条目",
      "无法验证条目",
      "无法验证的检查项",
      "无法验证的",
      "未验证",
      "未验证的条目",
      "遗留问题",
    ],
    en: [
      "Failed",
      "Failed checks",
      "Failed items",
      "Failing",
      "Failing checks",
      "Failing items",
      "Failures",
      "Checks that failed",
      "Not passed",
      "Not met",
      "Open",
      "Open checks",
      "Open items",
      "Unverified",
      "Unverified checks",
      "Unverifiable",
      "Unverifiable checks",
      "Unverifiable items",
    ],
  },
} as const satisfies Record<string, SectionNames>;

/** The five sections of a handoff document. */
export const HANDOFF_HEADINGS = {
  doing: {
    zh: ["现在在做", "现在在做的", "正在做", "当前在做"],
    en: ["Doing now", "Now doing", "Currently doing", "Doing"],
  },
  decided: {
    zh: ["已定的事", "已决定的事", "已定事项", "已决定", "已定"],
    en: ["Decided", "Decisions made", "Decisions"],
  },
  deadends: {
    zh: ["走不通的", "走不通的路", "行不通的", "死路"],
    en: ["Dead ends", "Deadends", "Dead end"],
  },
  next: {
    zh: ["下一步", "下一步做什么", "接下来"],
    en: ["Next step", "Next steps", "Next"],
  },
  scene: {
    zh: ["现场", "现场情况", "当前现场"],
    en: ["Scene", "Scene of the work"],
  },
} as const satisfies Record<string, SectionNames>;

/** What a judge concludes. The empty state (it could not be understood) has no word: it is written as empty. */
export type VerdictState = "achieved" | "not_yet" | "unreachable";

/** The word a verdict's conclusion consists of. */
export const VERDICT_STATES: PerLang<Readonly<Record<VerdictState, string>>> = {
  zh: { achieved: "达成", not_yet: "未达成", unreachable: "无法达成" },
  en: { achieved: "achieved", not_yet: "not yet", unreachable: "unreachable" },
};

/** Stands in the file where a section of a brief has no content yet. */
export const NOT_FILLED: PerLang<string> = { zh: "(未填)", en: "(not filled)" };

/** The same for every other document, where an empty section can be final. */
export const EMPTY: PerLang<string> = { zh: "(空)", en: "(empty)" };

/** The mark of a check that cannot be verified where the work is done; rule texts ask for it literally. */
export const UNVERIFIABLE_MARK: PerLang<(reason: string) => string> = {
  zh: (reason) => `[此环境无法验证:${reason}]`,
  en: (reason) => `[unverifiable here: ${reason}]`,
};

/** Opens a handoff document that was assembled mechanically, because no session could write it. */
export const DEGRADED_MARK: PerLang<string> = {
  zh: "[降级:交接没写成]",
  en: "[degraded: handoff not written]",
};
