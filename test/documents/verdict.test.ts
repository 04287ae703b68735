import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Verdict } from "../../src/documents/verdict.ts";
import { anyUnits, lang, trickyText } from "./arbitraries.ts";

const stateOf = (text: string): string => Verdict.parse(text).state;

describe("a verdict", () => {
  test("is read from its three sections", () => {
    const verdict = Verdict.parse(
      "## 结论\n未达成\n\n## 理由\n测试是红的。\n\n## 未通过\n- 测试通过\n- 能构建\n",
    );
    expect(verdict).toEqual(
      new Verdict({ state: "not_yet", reason: "测试是红的。", failed: ["测试通过", "能构建"], lang: "zh" }),
    );
    expect([verdict.ok, verdict.achieved, verdict.unreachable]).toEqual([true, false, false]);
  });

  test("is read in English, in the other forms of headings, and from a list", () => {
    const expected = new Verdict({ state: "achieved", reason: "All seen.", failed: [] });
    expect(Verdict.parse("## Conclusion\nachieved\n## Reason\nAll seen.\n## Failed\n(empty)")).toEqual(
      expected,
    );
    expect(Verdict.parse("**Conclusion**: Achieved.\n**Reason**: All seen.\n**Failed**: none")).toEqual(
      expected,
    );
    expect(Verdict.parse("- **Verdict:** achieved\n- **Reason:** All seen.\n- **Failed:** None.")).toEqual(
      expected,
    );
    expect(Verdict.parse("**Conclusion: achieved**\nReason: All seen.\nFailed: -")).toEqual(expected);
    expect(expected.achieved).toBe(true);
  });

  test("without a section for its reason gives what the judge said", () => {
    expect(Verdict.parse("结论:未达成,第 3 条没有证据").reason).toBe("未达成,第 3 条没有证据");
    expect(Verdict.parse("I looked. It does not start.").reason).toBe("I looked. It does not start.");
    expect(Verdict.parse("结论: 达成").reason).toBe("");
    expect(Verdict.parse("0").reason).toBe("");
  });

  test("is not accepted when it names failed checks all the same", () => {
    const verdict = Verdict.parse("## 结论\n达成\n## 理由\n好\n## 未通过\n- 第 3 条");
    expect([verdict.state, verdict.ok, verdict.achieved]).toEqual(["achieved", true, false]);
  });

  test("names what it lacks", () => {
    expect(new Verdict().missing()).toEqual(["Conclusion", "Reason"]);
    expect(new Verdict({ state: "achieved", lang: "zh" }).missing()).toEqual(["理由"]);
    expect(new Verdict({ state: "achieved", reason: "x" }).complete()).toBe(true);
  });

  test.each([
    "无",
    "- 无",
    "无。",
    "- 无(全部通过)",
    "none",
    "- None.",
    "N/A",
    "(空)",
    "（空）",
    "(empty)",
    "-",
    "- -",
    "全部通过",
    "- 没有",
    "No failed checks.",
    "None (all checks pass)",
    "None - nothing failed.",
    "无。没有未通过的条目。",
  ])("has no failed checks when the section says %j", (failed) => {
    expect(Verdict.parse(`## 结论\n达成\n## 理由\n好\n## 未通过\n${failed}`).failed).toEqual([]);
  });

  test("keeps failed checks that merely begin like nothing", () => {
    expect(
      Verdict.parse("## Failed\n- None of the tests ran\n- 无法启动\n- Nothing is printed").failed,
    ).toEqual(["None of the tests ran", "无法启动", "Nothing is printed"]);
  });

  test.each([
    "None - all tests crash",
    "None, apart from check 3",
    "- none (check 3 was skipped)",
    "N/A: it does not start",
    "无,但第 3 条没看",
    "- 无(第 3 条报错)",
    "none — _not_ one was run",
  ])("has a failed check when the section says %j", (failed) => {
    const verdict = Verdict.parse(`## 结论\n达成\n## 理由\n好\n## 未通过\n${failed}`);
    expect([verdict.failed.length, verdict.achieved]).toEqual([1, false]);
  });

  test("has the failed checks of all sections for them", () => {
    const verdict = Verdict.parse("## Conclusion\nachieved\n## Failed\nnone\n## Failed checks\n- check 3");
    expect([verdict.failed, verdict.achieved]).toEqual([["check 3"], false]);
  });

  test("never passes when a fence that nothing closes hides the rest of it", () => {
    const hidden = "## Conclusion\nachieved\n## Reason\n```\nlog\n## Failed\n- check 3";
    expect([Verdict.parse(hidden).state, Verdict.parse(hidden).achieved]).toEqual(["", false]);
    expect(stateOf(hidden.replace("achieved", "not yet"))).toBe("not_yet");
    expect(stateOf(hidden.replace("log\n", "log\n```\n"))).toBe("achieved");
  });

  test("hands back what has to be fixed, in its language", () => {
    const verdict = new Verdict({
      state: "not_yet",
      reason: "red tests",
      failed: ["tests pass", "it builds"],
    });
    expect(verdict.feedback()).toMatch(
      /^An independent judge .*Why:\n\nred tests\n\nThese checks did not pass:\n\n- tests pass\n- it builds\n\nHave exactly these fixed.*not argue/s,
    );
    expect(verdict.with({ lang: "zh" }).feedback()).toMatch(
      /red tests.*- tests pass.*只修这些.*不要和判定争辩/s,
    );
    expect(new Verdict({ state: "not_yet" }).feedback()).toMatch(
      /^An independent judge .*\n\nGo through the checklist/,
    );
  });

  test("is written for people and for a model", () => {
    const verdict = new Verdict({
      state: "unreachable",
      reason: "no macOS",
      failed: ["it opens"],
      lang: "zh",
    });
    expect(verdict.toMarkdown()).toBe(
      "## 结论\n\n无法达成\n\n## 理由\n\nno macOS\n\n## 未通过\n\n- it opens\n",
    );
    expect(verdict.promptBlock("en")).toMatch(/^The verdict .*\n\n## Conclusion\n\nunreachable\n\n## Reason/);
  });
});

describe("a conclusion", () => {
  test.each([
    "达成",
    "**达成**",
    "达成。",
    "已达成",
    "目标已经达成",
    "结论是达成",
    "`达成`:每一条都看到了",
    "达成(7/7 条)",
    "达成,没有无法验证的条目",
    "达成。没有未通过的条目。",
    "全部条目均已达成",
    "逐条看过。\n\n达成",
    "achieved",
    "Achieved.",
    "**Achieved**",
    "The goal is achieved.",
    "The goal has been fully achieved: every check passes.",
    "achieved - all seven checks",
    "Achieved. None of the checks is unverifiable.",
    "1",
    "`1`",
    "true",
    "TRUE",
    "通过",
    "passed",
    "1\n全部都有证据",
    "Achieved: I saw every check fulfilled.",
    "达成：每一条都亲眼看到通过。",
    "**achieved** — all 7 checks passed",
    "Achieved. The unit tests ran, 42 of 42 pass, the page answers as expected.",
    "达成。应用能启动，删除非常快，输出正确无误。",
  ])("that says %j is achieved", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("achieved");
  });

  test.each([
    "未达成",
    "**未达成**",
    "尚未达成",
    "还没有达成",
    "没达成",
    "没有完全达成",
    "并未真正达成",
    "部分达成",
    "基本达成",
    "不算达成",
    "未通过",
    "not yet",
    "Not yet.",
    "not_yet",
    "not achieved",
    "Not yet achieved",
    "The goal is not fully achieved",
    "has not been achieved",
    "isn't achieved",
    "hasn’t been achieved",
    "never achieved",
    "partially achieved",
    "mostly achieved",
    "unachieved",
    "incomplete",
    "it fails to start, so the goal is achieved in name",
    "0",
    "false",
    "failed",
    "0\n1",
    "achieved\n0",
    "达成。\n\n0",
  ])("that says %j is not yet", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("not_yet");
  });

  test.each([
    "无法达成",
    "无法验证",
    "没法验证",
    "验证不了",
    "无法判定",
    "判断不了",
    "不能验证",
    "没有办法确认",
    "无法在此环境验证",
    "未能在本环境中实际验证",
    "达不成",
    "达成不了",
    "不可能达成",
    "达成,但第 3 条无法验证",
    "达成\n(第 3 条验证不了,读源码通过)",
    "未达成,其中第 3 条无法验证",
    "unreachable",
    "Unreachable.",
    "cannot be achieved",
    "can't be verified here",
    "can’t be verified here",
    "cannot be independently verified",
    "could not verify",
    "unable to verify",
    "unverifiable",
    "not verifiable",
    "impossible",
    "There is no way to test this",
    "achieved, except that check 3 cannot be verified",
    "inconclusive",
  ])("that says %j is unreachable", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("unreachable");
  });

  test.each([
    "看起来不错",
    "达成率 80%",
    "达成 3/7 条",
    "达成与否取决于环境",
    "达成了一半",
    "如果测试通过,就达成",
    "是否达成?",
    "可能达成",
    "达成,但第 3 条要重看",
    "并不能说,目标达成",
    "looks good",
    "achieved?",
    "achieved: no",
    "Achieved: not really",
    "achieved ❌",
    "5 of 7 checks, achieved",
    "If all tests pass, the goal is achieved",
    "If the tests pass,\nthe goal is achieved",
    "The goal is not, in my view, achieved",
    "It cannot be said that\nthe goal is achieved",
    "achieved on Linux",
    "The worker claims: achieved",
    "achieved, but check 3 is open",
    "state.achieved",
    "10",
    "-1",
    "1 check is red",
    "1. first",
    "exit code 1",
    "done",
    "is_achieved",
    "~~achieved~~",
    "~~passed~~",
    "achieved: 80%",
    "达成。7 条里 5/7 条通过。",
    "1\nItem 3 crashes.",
    "Achieved, apart from item 3 which fails",
    "Achieved. Item 3 is broken.",
    "Achieved. Item 3 fails, though",
    "achieved\nBut I found it is false.",
    "achieved\n\nBut I found it is false.",
    "Item 3 is broken. Everything else was looked at.\n\nAchieved.",
    "Achieved. Item 3 is _not_ there.",
    "Achieved. Item 3 isnt there.",
    "Achieved: all of it other\nthan item 3.",
    "achieved: n",
    "Achieved. I had to mend item 3 myself.",
    "Achieved, save for item 3",
    "达成,第 3 条再议",
    "Achieved. There is no unreachable code handling.",
    "达成。第 3 条崩了。",
    "达成\n\n第 3 条没看到。",
    "達成。達成。第 3 條失敗。",
    "达成。没有未通过时的处理。",
  ])("that says %j never passes and is not understood", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("");
  });
});

describe("a reply with several sections for its conclusion", () => {
  test.each([
    ["## Conclusion\nachieved\n## Conclusion\nnot yet", ""],
    ["## Conclusion\nnot yet\n## Conclusion\nachieved", ""],
    ["## Conclusion\nachieved\n## Reason\nseen\n## Final verdict\nunreachable", ""],
    ["## Conclusion\nachieved\n## Verdict\nlooks good", ""],
    ["Conclusion: achieved\nConclusion: not yet", ""],
    ["## 结论\n达成\n## Conclusion\nnot yet", ""],
    ["## Verdict\n\n## Conclusion\nachieved", "achieved"],
    ["## Conclusion\nachieved\n## Reason\nseen\n## Final verdict\nAchieved.", "achieved"],
    ["## 结论\n未达成\n## 判定\n尚未达成", "not_yet"],
  ])("%j is %j: they have to agree", (text, state) => {
    expect(stateOf(text)).toBe(state);
  });

  test("gives all of what they say as the reason when they contradict each other", () => {
    expect(Verdict.parse("## Conclusion\nachieved\n## Conclusion\nnot yet").reason).toBe(
      "achieved\n\nnot yet",
    );
    expect(Verdict.parse("## Conclusion\nachieved\n## Conclusion\nAchieved.").reason).toBe("");
  });
});

describe("a reply without a section for its conclusion", () => {
  test.each([
    ["1", "achieved"],
    [" TRUE\n", "achieved"],
    ["0", "not_yet"],
    ["false", "not_yet"],
    ["达成", "achieved"],
    ["经检查,目标已达成。", "achieved"],
    ["I ran every check.\n\nThe goal is achieved.", "achieved"],
    ["I ran every check. Check 2 is red: not achieved.", "not_yet"],
    ["没有 macOS,第 2 条无法验证。", "unreachable"],
    ["", ""],
    ["1 failed", ""],
    ["Failed checks so far:\n\n1", ""],
    ["Passed\n- a\n\nFailing\n- b", ""],
    ["The rule is this.\n\nThe goal is achieved\n\nwhen the tests are green.", ""],
    ["```\nachieved\n```", ""],
    ["## 理由\n好\n## 未通过\n- x", ""],
    ["```\n## 结论\n达成", ""],
    ["Check 3 is broken.\n\nThe goal is achieved.", ""],
    ["The goal is achieved.\n\nCheck 2 was skipped, though.", ""],
  ])("%j is %j", (text, state) => {
    expect(stateOf(text)).toBe(state);
  });
});

test("property: a verdict that is written and read is the same verdict", () => {
  const state = fc.constantFrom("achieved" as const, "not_yet" as const, "unreachable" as const, "" as const);
  fc.assert(
    fc.property(
      state,
      trickyText,
      fc.array(trickyText, { maxLength: 4 }),
      lang,
      (named, reason, failed, language) => {
        const verdict = new Verdict({ state: named, reason, failed, lang: language });
        expect(Verdict.parse(verdict.toMarkdown())).toEqual(verdict);
      },
    ),
    { numRuns: 500 },
  );
});

test("property: no text passes that does not say achieved", () => {
  const silent = fc
    .oneof(trickyText, anyUnits)
    .filter((text) => !/achieved|达成|pass|通过|true|1/i.test(text));
  fc.assert(
    fc.property(silent, (text) => {
      expect(Verdict.parse(text).achieved).toBe(false);
      expect(Verdict.parse(`## 结论\n${text}`).achieved).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("property: a negative word anywhere in the conclusion stops a pass", () => {
  const negative = fc.constantFrom(
    "未达成",
    "无法验证",
    "验证不了",
    "not achieved",
    "not yet",
    "unverifiable",
    "unable to verify",
  );
  const around = fc.array(
    fc.constantFrom("达成", "achieved", "。", ". ", ", ", "\n", " ", "目标", "the goal is "),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(around, negative, around, (before, word, after) => {
      const text = `## 结论\n${before.join("")} ${word} ${after.join("")}`;
      expect(Verdict.parse(text).achieved).toBe(false);
    }),
    { numRuns: 500 },
  );
});

const DOUBTS_EN = (
  "apart from|except|other than|but|however|though|although|despite|still|yet|only|partly|partially|mostly|almost|" +
  "nearly|pending|missing|broken|fails|failed|failing|failure|crashes|crashed|error|errors|wrong|false|not|isn't|" +
  "isn’t|doesnt|_not_|no|none|nothing|never|cannot|without|unverified|untested|unimplemented|unclear|assuming|" +
  "assumed|should|would|could|may|might|maybe|probably|likely|seems|appears|if|unless|until|skipped|incomplete|" +
  "incorrect|bug|todo|red|stub|blocked|flaky|caveat|limitation|issue|problem|remaining|doubt|⚠️|❌|?"
).split("|");
const DOUBTS_ZH = (
  "除了|但|不过|然而|只是|只有|仅|尚|还没|还差|仍|未|没|不|失败|崩|报错|错误|出错|缺|遗漏|部分|大致|基本|可能|" +
  "应该|应当|假设|如果|也许|似乎|大概|无法|跳过|虽然|几乎|有待|问题|异常|否|并非|怀疑|沒|失敗|錯|？"
).split("|");

test("property: no sentence with a word of doubt may stand next to achieved", () => {
  const doubt = fc.constantFrom(...DOUBTS_EN.map((word) => ` ${word} `), ...DOUBTS_ZH);
  const words = fc
    .array(fc.constantFrom("item 3", "the tests", "check", "works", "第 3 条", "页面", "通过", "is", "all"), {
      maxLength: 3,
    })
    .map((parts) => parts.join(" "));
  const sentence = fc
    .tuple(words, doubt, words, fc.constantFrom("", ".", "。", "!"))
    .map((parts) => parts.join(""));
  const pass = fc.constantFrom(
    "achieved",
    "**Achieved**",
    "The goal is achieved.",
    "达成",
    "达成。",
    "Achieved: I saw every check fulfilled.",
    "达成：每一条都亲眼看到通过。",
    "**achieved** — all 7 checks passed",
    "1",
  );
  const joint = fc.constantFrom(" ", ". ", "。", ", ", "，", "\n", "\n\n", " (", ": ", " - ", "\n- ");
  fc.assert(
    fc.property(pass, joint, sentence, fc.boolean(), (achieved, between, doubting, first) => {
      const text = first ? `${doubting}${between}${achieved}` : `${achieved}${between}${doubting}`;
      expect(Verdict.parse(`## Conclusion\n${achieved}`).achieved).toBe(true);
      expect(Verdict.parse(`## Conclusion\n${text}`).achieved).toBe(false);
      expect(Verdict.parse(text).achieved).toBe(false);
      expect(Verdict.parse(`## Conclusion\nachieved\n## Failed\nNone - ${doubting}`).achieved).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["digits", "1".repeat(200_000)],
  ["dots", `${".".repeat(200_000)}x`],
  ["words that may stand before achieved", `${"已经检查".repeat(50_000)}x`],
  ["spaces", `achieved${" ".repeat(200_000)}x`],
  ["negations", "not ".repeat(50_000)],
  ["denials", "none of the checks is ".repeat(20_000)],
  ["remarks", `none${",none".repeat(50_000)} fails`],
  ["shares", "1 of ".repeat(50_000)],
  ["characters that mean nothing", `- a${"-*".repeat(100_000)}b`],
])("a conclusion of hundreds of kilobytes of %s is read without going round in circles", (_what, text) => {
  expect(Verdict.parse(`## 结论\n${text}\n## 未通过\n- ${text}`).achieved).toBe(false);
});
