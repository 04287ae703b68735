import { describe, expect, test } from "vitest";
import type { Lang, PerLang } from "../../src/lang/lang.ts";
import { CLARIFIER_RULES } from "../../src/lang/rules/clarifier-rules.ts";
import { COORDINATOR_RULES } from "../../src/lang/rules/coordinator-rules.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import { ORACLE_RULES } from "../../src/lang/rules/oracle-rules.ts";
import { WORKER_RULES } from "../../src/lang/rules/worker-rules.ts";

const LANGUAGES: readonly Lang[] = ["zh", "en"];
const ALL = {
  coordinator: COORDINATOR_RULES,
  worker: WORKER_RULES,
  clarifier: CLARIFIER_RULES,
  judge: JUDGE_RULES,
  oracle: ORACLE_RULES,
};

/** What must be said (SPEC 6), and the words that say it. Whoever changes a rule looks here whether it still stands. */
const SAID: Record<keyof typeof ALL, Record<string, PerLang<readonly string[]>>> = {
  coordinator: {
    "who it is": {
      en: ["a person who knows how to use Claude Code, not a worker"],
      zh: ["一个会用 Claude Code 的人，不是干活的人"],
    },
    "no writing": {
      en: ["Write and edit nothing, not even one line"],
      zh: ["不写、不改任何文件，一行也不行"],
    },
    "no tests": { en: ["Run no tests, builds or installs"], zh: ["不跑测试、不构建、不装东西"] },
    "Bash for a glance": {
      en: ["Bash is for a glance at most", "results go stale"],
      zh: ["Bash 最多用来看一眼", "这类结果会过期"],
    },
    "specific tasks": {
      en: ["Say only what is specific to this task", "The worker knows its craft"],
      zh: ["只写这个任务特有的", "worker 懂自己的手艺"],
    },
    "where the workbench is": {
      en: ["neither this conversation nor the workbench's index", "where the workbench is (the full path)"],
      zh: ["也不继承工作台的索引", "写明工作台在哪（完整路径）"],
    },
    "long output": {
      en: ["long output goes to artifacts/, the reply brings paths and the conclusion"],
      zh: ["长产出写进 artifacts/，回复只带路径和结论"],
    },
    "follow-ups": {
      en: ["send it to the same worker with SendMessage"],
      zh: ["用 SendMessage 加 agent id 发给原来的 worker"],
    },
    inbox: { en: ["After each milestone, check the inbox"], zh: ["每到一个里程碑，看一次收件箱"] },
    "ask blocks": {
      en: ["`ask` blocks until somebody answers", "only at a real fork"],
      zh: ["`ask` 会一直等到有人回答", "只在真正的岔路口才用"],
    },
    done: {
      en: ["each acceptance criterion was seen fulfilled in a worker's evidence", "An independent judge"],
      zh: ["每一条验收标准都在 worker 的证据里看到满足了", "独立的判定者"],
    },
    "sent back": {
      en: ["have fixed what the judge names, and do not argue"],
      zh: ["把判定者点名的问题修好，不要争辩"],
    },
  },
  worker: {
    "four parts": {
      en: ["**Conclusion**", "**Evidence**", "**Artifacts**", "**Unverified**"],
      zh: ["**结论**", "**证据**", "**产物**", "**未验证**"],
    },
    length: { en: ["at most 30 lines"], zh: ["不超过 30 行"] },
    "no contents": { en: ["No file contents, no logs, no diffs"], zh: ["不贴文件内容，不贴日志，不贴 diff"] },
    "no tale": { en: ["No tale of trial and error"], zh: ["不讲试错经过"] },
    "scripts first": { en: ["Look into the workbench's scripts first"], zh: ["先翻一翻工作台里的脚本"] },
    "verify by running": { en: ["Verify by running"], zh: ["跑起来验证"] },
  },
  clarifier: {
    "only asks": { en: ["You only ask", "no change to any file"], zh: ["你只提问", "不改任何文件"] },
    "no cap, but each counts": {
      en: ["no cap on the number of questions", "each must change what will be built"],
      zh: ["提问数量不设上限", "每一问都必须会改变要做的东西"],
    },
    options: { en: ["two to four concrete options"], zh: ["给两到四个具体选项"] },
    silence: {
      en: [
        'On silence, decide yourself, for what is easiest to change later, and record it under "Unknowns and assumptions"',
      ],
      zh: ["没人回应就自己决定，选以后最容易改的那种，并记进「未知与假设」"],
    },
    "four sections alone": {
      en: ["the brief alone", "exactly four sections under exactly these headings"],
      zh: ["只有需求本身", "不多不少四节，标题一字不差"],
    },
    "no code": { en: ["No code, no pasted files"], zh: ["不写代码，不粘贴文件"] },
  },
  judge: {
    "two tasks": { en: ["# Setting the goal", "# Judging"], zh: ["# 定目标", "# 下判定"] },
    "never works": { en: ["has voided the verdict"], zh: ["谁的判定就作废"] },
    environment: {
      en: ["Look at the environment before you write or judge a check"],
      zh: ["写检查项、做判定之前，先看环境"],
    },
    "on the spot": { en: ["Every check can be verified on the spot"], zh: ["每一条都能当场验证"] },
    "how many": {
      en: ["As many checks as there are ways to fail; for a small task three to five"],
      zh: ["有几种失败的可能，就写几条；小任务三到五条"],
    },
    boundaries: { en: ["Boundaries are not checks"], zh: ["边界不是检查项"] },
    marker: { en: ["`[unverifiable here: reason]`"], zh: ["`[此环境无法验证:原因]`"] },
    "run commands": {
      en: ["the check ends with it, in backticks: `run: <command>`", 'vetoes "achieved"'],
      zh: ["写在这条的末尾，放在反引号里：`run: <命令>`", "否决「达成」"],
    },
    "two and three sections": {
      en: ["exactly two sections", "exactly three sections"],
      zh: ["你的回复不多不少两节", "你的回复不多不少三节"],
    },
    artifact: { en: ["Judge the artifact, not the source"], zh: ["判的是成果，不是源码"] },
    "no trust": { en: ['Do not believe "done"'], zh: ["不要相信「已完成」"] },
    evidence: {
      en: ["quote the evidence you saw", "No visible evidence = failed"],
      zh: ["引用你看到的证据", "没有看得见的证据 = 未通过"],
    },
    "never a pass": {
      en: ['"Cannot be verified here" is never a pass'],
      zh: ["「在这里验证不了」绝不算通过"],
    },
    "the bare word": {
      en: ["the bare word alone on the line under the heading"],
      zh: ["单独写在标题下面那一行，只写这个词"],
    },
    states: {
      en: ["- achieved:", "- not yet:", "- unreachable:"],
      zh: ["- 达成：", "- 未达成：", "- 无法达成："],
    },
  },
  oracle: {
    "side channel": {
      en: ["a side channel", "Nothing you say enters the run"],
      zh: ["旁路", "一个字也不会进入那次运行"],
    },
    "read-only": { en: ["Read-only"], zh: ["只读"] },
    "look first": { en: ["Look before you answer"], zh: ["先看再答"] },
    "cannot tell": { en: ["When you cannot tell, say so"], zh: ["说不准就直说"] },
    short: { en: ["Be short"], zh: ["简短"] },
  },
};

const CASES = Object.entries(SAID).flatMap(([role, points]) =>
  Object.entries(points).map(([point, words]) => ({ role, point, words })),
);

function isRole(role: string): role is keyof typeof ALL {
  return role in ALL;
}

function rulesOf(role: string): PerLang<string> {
  if (!isRole(role)) throw new Error(`no rules for ${role}`);
  return ALL[role];
}

function headings(text: string, mark: "#" | "##"): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : []));
}

/** One letter a line: Heading, section (S), Bullet, Text; a blank line parts paragraphs. */
function shape(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      if (line === "") return "/";
      if (line.startsWith("## ")) return "S";
      if (line.startsWith("# ")) return "H";
      return line.startsWith("- ") ? "B" : "T";
    })
    .join("");
}

describe("the rule texts", () => {
  test.each(CASES)("the $role is told, in both languages: $point", ({ role, words }) => {
    for (const lang of LANGUAGES) {
      for (const phrase of words[lang]) expect(rulesOf(role)[lang]).toContain(phrase);
    }
  });

  test.each(Object.entries(ALL))(
    "the %s's text is built alike in both languages, line by line",
    (_role, rules) => {
      expect(shape(rules.zh)).toBe(shape(rules.en));
    },
  );

  test.each(Object.entries(ALL))(
    "the %s's text is one that somebody will read to the end",
    (_role, rules) => {
      for (const lang of LANGUAGES) {
        const lines = rules[lang].split("\n").filter((line) => line !== "");
        expect(lines.length).toBeLessThanOrEqual(45);
        expect(rules[lang]).toBe(rules[lang].trim());
      }
    },
  );

  test.each(Object.entries(ALL))(
    "the %s's Chinese text has no English sentence and no half-width comma in prose",
    (_role, rules) => {
      expect(rules.zh).not.toMatch(/\p{Script=Han}[,;?!]/u);
      expect(rules.zh).not.toMatch(/[a-z]+(?: [a-z]+){4,}/i);
      expect(rules.en).not.toMatch(/\p{Script=Han}/u);
    },
  );

  test("the clarifier's headings are those of the brief, in their order", () => {
    expect(headings(CLARIFIER_RULES.en, "##")).toEqual([
      "Goal",
      "Acceptance criteria",
      "Boundaries",
      "Unknowns and assumptions",
    ]);
    expect(headings(CLARIFIER_RULES.zh, "##")).toEqual(["目标", "验收标准", "边界", "未知与假设"]);
  });

  test("the judge's headings are those of the goal, then those of the verdict", () => {
    expect(headings(JUDGE_RULES.en, "##")).toEqual(["Goal", "Checklist", "Conclusion", "Reason", "Failed"]);
    expect(headings(JUDGE_RULES.zh, "##")).toEqual(["目标", "判定清单", "结论", "理由", "未通过"]);
  });

  test("the worker's text names no path of the workbench, since that differs between runs", () => {
    for (const lang of LANGUAGES) expect(WORKER_RULES[lang]).not.toMatch(/\.flower|artifacts\/|scripts\//);
  });

  test("no text speaks of a tool that the SDK no longer has", () => {
    for (const rules of Object.values(ALL)) {
      for (const lang of LANGUAGES) expect(rules[lang]).not.toMatch(/TodoWrite|\bTask tool\b/);
    }
  });
});
