import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Verdict } from "../../src/documents/verdict.ts";
import { lang, trickyText } from "./arbitraries.ts";

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
    "0",
    "- 0",
    "0 条",
    "(0 条)",
    "0 checks",
    "No check(s) failed.",
    "No check has failed.",
    "There are none.",
    "没有未通过的检查项",
    "没有无法验证的条目。",
    "无 ✅",
    "> none",
    "None (7/7)",
    "None. Every check passed.",
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
    "none (check 3 goes to the human)",
    "- none, check 3 is for the human",
    "无(第 3 条待看)",
    "- 无(第 3 条需 macOS)",
    "0 tests ran",
    "- 3",
    "- all",
    "- 全部",
    "7/7",
    "- all seven checks",
    "- all tests pass",
    "- no problems found",
    "- no tests",
    "none\n1",
  ])("has a failed check when the section says %j", (failed) => {
    const verdict = Verdict.parse(`## 结论\n达成\n## 理由\n好\n## 未通过\n${failed}`);
    expect([verdict.failed.length, verdict.achieved]).toEqual([1, false]);
  });

  test.each([
    "## Failing checks\n- check 3",
    "## Unverifiable\n- check 3",
    "## Open\n- check 3",
    "**Open items**: check 3",
    "## 未达成的条目\n- 第 3 条",
    "## 没有通过的条目\n- 第 3 条",
    "## 无法验证的条目\n- 第 3 条",
  ])("has the failed checks that stand under %j", (section) => {
    const verdict = Verdict.parse(`## Conclusion\nachieved\n## Reason\nseen\n${section}`);
    expect([verdict.failed.length, verdict.achieved]).toEqual([1, false]);
    expect(Verdict.parse(`${section}\n## 结论\n达成`).achieved).toBe(false);
  });

  test.each([
    "## Failed\n```\n- check 3\n```",
    "## Failed\n(empty)\n```\n- check 3\n```",
    "## Failed\n- none\n### Check 3 fails",
    "## Failed\n- none\n**Check 3**",
    "## 未通过\n- 无\n第 3 条:",
    "## 理由\n每一条都看过。第 3 条无法验证。",
    "## Reason\n1. seen\n2. cannot be verified in this container",
    "## Reason\nSeen.\n## Notes\nCheck 3 could not be tested.",
    "## Reason\nSeen.\n## Reason\nCheck 3 is unverifiable.",
  ])("is not understood when it is achieved and goes on with %j", (rest) => {
    expect([stateOf(`## Conclusion\nachieved\n${rest}`), stateOf(`## 结论\n达成\n${rest}`)]).toEqual([
      "",
      "",
    ]);
    expect(stateOf(`## Conclusion\nnot yet\n${rest}`)).toBe("not_yet");
  });

  test.each([
    "Check 3 fails.",
    "Two checks failed:",
    "Check 3 is open, the rest is fine.",
    "Check 3: ❌",
    "The third check is not met.",
    "Check 3 cannot be verified here.",
    "第 3 条报错。",
    "第 3 条未通过。",
    "第 3 条无法验证。",
  ])("is not understood when it is achieved after %j", (preamble) => {
    expect(stateOf(`${preamble}\n\n## Conclusion\nachieved`)).toBe("");
    expect(stateOf(`${preamble}\n\n## 结论\n达成\n## 理由\n好`)).toBe("");
  });

  test("hands back the words that spoke against it", () => {
    const before = Verdict.parse("Check 3 fails.\n\n## Conclusion\nachieved\n## Reason\nseen");
    expect(before.reason).toBe("Check 3 fails.\n\nseen");
    const label = Verdict.parse("## Conclusion\nachieved\n## Failed\n- none\n**Check 3**");
    expect([label.state, label.failed]).toEqual(["", ["**Check 3**"]]);
    expect(Verdict.parse("Looked.\n\n## Conclusion\nachieved\n## Reason\nseen").reason).toBe("seen");
  });

  test.each([
    "I have looked at every check.",
    "I ran the tests; none of the checks failed.",
    "逐条看过，没有未通过的条目。",
    "# Judging, round 3",
  ])("passes after %j", (preamble) => {
    expect(Verdict.parse(`${preamble}\n\n## Conclusion\nachieved\n## Reason\nseen`).achieved).toBe(true);
  });

  test.each([
    "I first doubted check 3, but it does not fail: the error is shown.",
    "1. A wrong password is refused with 401.\n2. No check is unverifiable.",
    "When the server is unreachable, the tool exits with 2: seen.",
    "第 3 条起初不确定，重跑之后通过。没有无法验证的条目。",
  ])("passes with the honest reason %j", (reason) => {
    expect(Verdict.parse(`## Conclusion\nachieved\n## Reason\n${reason}\n## Failed\n(empty)`).achieved).toBe(
      true,
    );
  });

  test.each([
    ["Failed: 0", "Failed"],
    ["未通过: 0", "未通过"],
    ["Failed: 0\nPassed: 42\nI opened the page as well.", "Failed"],
    ["未通过：0\n通过：42\n页面也打开看过。", "未通过"],
  ])("takes %j, pasted into its reason, for the output of a test runner", (output, heading) => {
    const verdict = Verdict.parse(`## 结论\n达成\n## 理由\nnpm test:\n${output}\n## ${heading}\n(empty)`);
    expect([verdict.failed, verdict.achieved]).toEqual([[], true]);
    expect(verdict.reason).toContain(output.split("\n").at(-1)?.slice(-5));
    expect(Verdict.parse(`## 结论\n达成\n## 理由\n好\n${output.split("\n")[0]}`).achieved).toBe(true);
    expect(Verdict.parse(`## 结论\n达成\n## 理由\n${output}\n## ${heading}\n- x`).achieved).toBe(false);
    expect(Verdict.parse(`## 结论\n达成\n## 理由\n好\n${output}\n- 第 3 条`).achieved).toBe(false);
  });

  test("has the first of several reasons, as every document has, but none is overlooked", () => {
    const text = "## Conclusion\nachieved\n## Reason\n\n## Reason\nfirst\n## Reason\n";
    expect(Verdict.parse(`${text}second`)).toMatchObject({ reason: "first", state: "achieved" });
    expect(stateOf(`${text}Check 3 is unverifiable.`)).toBe("");
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
    ["# 判定结果(第 2 轮)\n\n## 结论\n达成", "achieved"],
    ["# 判定结果(第 2 轮)\n\n达成", "achieved"],
    ["# 判定 · 第二轮\n\n## 结论\n未达成", "not_yet"],
    ["# Verdict: round 2 of the work\n## Conclusion\nachieved", "achieved"],
    ["# Verdict — Round 2 of 5\n## Conclusion\nachieved", "achieved"],
    ["# Verdict\n## Conclusion\nachieved", "achieved"],
    ["# Verdict: round 2\n## Conclusion\nlooks good", ""],
    ["# Verdict: round 2, check 3 is open\n## Conclusion\nachieved", ""],
    ["# Verdict: rejected\n## Conclusion\nachieved", ""],
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

describe("a reply that is one fence", () => {
  const reply = "## Conclusion\nachieved\n\n## Reason\nSeen.\n\n## Failed\n(empty)";
  test.each([
    ["```markdown", "```"],
    ["```md", "```"],
    ["~~~~ Markdown ", "~~~~~"],
    ["\n  ```markdown", "  ```\n\n"],
  ])("%j is read as what is in it", (open, close) => {
    expect(Verdict.parse(`${open}\n${reply}\n${close}`)).toEqual(Verdict.parse(reply));
  });

  test("and a fence inside that one still hides what it holds", () => {
    const inner = "## Conclusion\nachieved\n## Failed\n```\n- check 3\n```";
    expect(stateOf(`\`\`\`\`markdown\n${inner}\n\`\`\`\``)).toBe("");
  });

  test.each([
    `\`\`\`text\n${reply}\n\`\`\``,
    `\`\`\`markdown\n${reply}`,
    `\`\`\`markdown\n${reply}\n\`\`\`\nCheck 3 fails.`,
    `Here it is.\n\`\`\`markdown\n${reply}\n\`\`\``,
    `\`\`\`markdown\n${reply}\n\`\`\`\n\`\`\`\nlog\n\`\`\``,
    "```markdown",
    "```markdown\n```",
  ])("%j is not one", (text) => {
    expect(stateOf(text)).toBe("");
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

test("a verdict that was made as achieved is not read as such when its reason says otherwise", () => {
  const verdict = new Verdict({ state: "achieved", reason: "Check 3 cannot be verified here." });
  expect(Verdict.parse(verdict.toMarkdown())).toEqual(verdict.with({ state: "" }));
});
