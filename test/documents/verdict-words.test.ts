import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Verdict } from "../../src/documents/verdict.ts";
import { anyUnits, trickyText } from "./arbitraries.ts";

const stateOf = (text: string): string => Verdict.parse(text).state;

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
    "Achieved. I ran all of the checks, 42 of 42 tests pass.",
    "Achieved ✅",
    "达成 ✅",
    "**达成** ✅",
    "✅\uFE0F 达成",
    "✔\uFE0F achieved",
    "☑ achieved",
    "🟢 达成",
    "> 达成",
    "### achieved",
    "- 达成",
    "7 条检查项全部达成",
    "三条全部达成",
    "全部三条检查项均已达成",
    "十二条都达成",
    "达成（7／7）",
    "达成 7/7",
    "All three checks are achieved.",
    "Achieved: 7 of 7 checks.",
    "Achieved: all 7 of 7 checks pass.",
    "达成：7/7 条全部通过",
    "已达成目标",
    "达成 / achieved",
    "达成(achieved)",
    "综上,目标已全部达成。",
    "Final verdict: achieved",
    "Overall, the goal is achieved.",
    "Achieved. 42 tests pass, 0 failures.",
    "达成。42 个测试通过,0 个失败。",
    "达成。未发现问题。",
    "achieved. No check failed.",
    "Achieved. No issues found.",
    "Achieved (see Reason).",
    "达成。见理由。",
    "'achieved'",
    "Achieved. Every check was verified with evidence.",
  ])("that says %j is achieved, in its section and as prose", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("achieved");
    expect(stateOf(text)).toBe("achieved");
    expect(Verdict.parse(`## Conclusion\n${text}\n## Failed\n(empty)`).achieved).toBe(true);
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
  ])("that says %j is not yet, in its section and as prose", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("not_yet");
    expect(stateOf(text)).toBe("not_yet");
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
  ])("that says %j is unreachable, in its section and as prose", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("unreachable");
    expect(stateOf(text)).toBe("unreachable");
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
    // Words about the work that are not in the list: a closed list cannot know that these are harmless.
    "Achieved. The unit tests ran, 42 of 42 pass, the page answers as expected.",
    "达成。应用能启动，删除非常快，输出正确无误。",
    // A part of the checks.
    "达成(7 条里 5 条)",
    "达成：7 条中的 5 条",
    "达成(三条中的两条)",
    "Achieved (five of seven checks)",
    "Achieved: two of three",
    "Achieved: all three of seven",
    "Achieved: all 5 of 7 checks",
    "达成：5／7",
    "达成：5/7/7",
    "达成：7/70",
    "达成：5 条 7/7 条",
    "Achieved: 7/7five",
    "Achieved: 7 of 7 5",
    "达成：4/5 条全部通过",
    "达成：0 条",
    "Achieved: 0 checks",
    "Achieved: zero",
    "Achieved: 0 of 0",
    "Achieved: none",
    "Achieved: no checks",
    "Achieved: no tests found",
    "Achieved: 80 percent",
    "达成:八成",
    "达成:第 1、2、4 条",
    "达成:1–4 条全部通过",
    "第三条全部达成",
    "前三条全部达成",
    "其中 5 条都达成",
    "达成:二三条都通过",
    "达成:已检查条目全部通过",
    "达成:通过的条目",
    "达成:有条目通过",
    "达成:未发现问题的条目",
    "Achieved: 1, 2, 4",
    "Achieved:\n1",
    "Achieved: 5 checks pass",
    "Achieved: the unit tests",
    "Achieved: all checks I ran",
    "Achieved: all unit tests",
    "Achieved, all but one",
    "Achieved: every other check",
    "达成:其余全部通过",
    "剩下的全部达成",
    "达成 ①②④",
    "可达成",
    "目标是全部达成",
    "Achieved (see below)",
    "All that is achieved",
    "Achieved. 5 of 42 tests pass, 0 failures.",
    "Achieved. 42 tests pass, 0 failures, 3 skipped.",
    // Denied by a mark or a word.
    "达成:×",
    "达成：✖",
    "达成 ✗ ✅",
    "Achieved: 👎",
    "Achieved: x",
    "[ ] achieved",
    "Achieved: negative",
    "达成：伪",
    "达成……",
    "pass/fail",
    // Not seen.
    "Achieved. Check 3 requires macOS hardware.",
    "达成(第 3 条需 macOS)",
    "达成。第 3 条留给人工验证。",
    "Achieved, subject to a run on macOS.",
    "Achieved. Check 3: N/A here",
    "达成。第 3 条凭读源码推断。",
    // Broken, or no verdict.
    "Achieved. Check 3 returns 500.",
    "达成。第 3 条红。",
    "达成\n的条件:页面能打开",
    "达成的目标是通过检查",
  ])("that says %j never passes and is not understood, in its section and as prose", (text) => {
    expect(stateOf(`## 结论\n${text}\n## 理由\n好`)).toBe("");
    expect(stateOf(`## Conclusion\n${text}\n## Failed\n(empty)`)).toBe("");
    expect(stateOf(text)).toBe("");
  });

  test("does not pass when a section for what is open follows it", () => {
    const verdict = Verdict.parse("## Conclusion\nAchieved: checks 1, 2 and 4.\nOpen: check 3");
    expect([verdict.state, verdict.failed]).toEqual(["", ["check 3"]]);
    expect(Verdict.parse("Achieved: checks 1, 2 and 4.\nOpen: check 3").achieved).toBe(false);
  });

  test("does not pass when a fence in it hides words", () => {
    expect(stateOf("## Conclusion\nachieved\n```\ncheck 3 fails\n```\n## Reason\nseen")).toBe("");
    expect(stateOf("achieved\n```\ncheck 3 fails\n```")).toBe("");
    expect(stateOf("```\nnpm test\n```\n## Conclusion\nachieved")).toBe("achieved");
  });
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

test("property: nothing passes that holds a word or a number beside the listed ones", () => {
  // No word has none of these vowels, and no list of ours could hold the Chinese characters of rare names.
  const word = fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{3,8}$/);
  const name = fc.stringMatching(/^[龘鑫淼焱垚犇羴麤森晶]{1,3}$/);
  const number = fc.integer({ min: 0, max: 99 }).map(String);
  const listed = fc.constantFrom(
    "achieved",
    "达成",
    "all checks pass",
    "I ran every check",
    "全部通过",
    "没有未通过的条目",
    "7/7",
    "no check failed",
  );
  const joint = fc.constantFrom(" ", ". ", "。", "，", ": ", "\n", " (", " - ", "");
  const parts = fc.array(fc.tuple(listed, joint), { maxLength: 3 });
  const text = (pairs: readonly (readonly [string, string])[]): string => pairs.flat().join("");
  fc.assert(
    fc.property(
      parts,
      joint,
      fc.oneof(word, name, number),
      joint,
      parts,
      (before, left, odd, right, after) => {
        const said = `achieved. ${text(before)}${left}${odd}${right}${text(after)}`;
        expect(Verdict.parse(`## 结论\n${said}`).achieved).toBe(false);
        expect(Verdict.parse(said).achieved).toBe(false);
        expect(
          Verdict.parse(`## Conclusion\nachieved\n## Failed\nnone, ${said.replaceAll("\n", " ")}`).achieved,
        ).toBe(false);
      },
    ),
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
  ["checks", "check ".repeat(50_000)],
  ["Chinese checks", "第3条".repeat(50_000)],
  ["underscores", `a${"_".repeat(200_000)}b`],
  ["inabilities", "cannot be ".repeat(30_000)],
  ["characters that mean nothing", `- a${"-*".repeat(100_000)}b`],
])("a conclusion of hundreds of kilobytes of %s is read without going round in circles", (_what, text) => {
  expect(Verdict.parse(`## 结论\n${text}\n## 未通过\n- ${text}`).achieved).toBe(false);
  expect(Verdict.parse(`${text}\n## 结论\n达成\n## 理由\n${text}\n## 未通过\n- ${text}`).achieved).toBe(
    false,
  );
});
