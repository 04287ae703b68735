import type { PerLang } from "../../lang/lang.ts";
import { CENTS_COMMAND } from "./shop-files.ts";

/** What the people in the demo say; only the model is scripted, so its words are all there is to write. */
export interface Story {
  /** The one sentence that goes in. */
  readonly ask: string;
  readonly question: string;
  readonly options: readonly string[];
  /** What the demo answers when nobody is at the terminal. */
  readonly answer: string;
  readonly brief: (version: string) => string;
  readonly lookAround: string;
  readonly goal: (version: string) => string;
  readonly tempted: string;
  readonly delegated: (round: number) => string;
  readonly task: (round: number, version: string, artifacts: string) => string;
  /** Begins the task of a second round. */
  readonly secondRound: string;
  /** Said to, and of, a worker that was cut off. */
  readonly goesOn: string;
  readonly goOn: string;
  readonly goOnSummary: string;
  readonly coordinatorDone: string;
  readonly coordinatorWoken: string;
  readonly report: (round: number, tests: string) => string;
  readonly changelog: (version: string) => string;
  readonly judging: string;
  /** Stands in each failed item, and nowhere else. */
  readonly failedMark: string;
  readonly verdict: (failed: readonly string[]) => string;
  readonly checkNames: readonly [tests: string, cents: string, changelog: string];
}

const EN: Story = {
  ask: "The till adds up wrong, see BUG.md. Please fix it.",
  question:
    "BUG.md does not say which version the fix belongs to. Under which version shall it stand in CHANGELOG.md?",
  options: ["1.0.1", "1.1.0"],
  answer: "1.0.1",
  brief: (version) => `## Goal
The till's total takes quantities into account and is exact to the cent.

## Acceptance criteria
- \`npm test\` passes, with a test for quantities.
- Three pieces at 0.10 cost exactly 0.3.
- CHANGELOG.md names the fix under version ${version}.

## Boundaries
Only \`src/total.js\`, its tests and CHANGELOG.md. No new dependencies.

## Unknowns and assumptions
Prices have at most two decimals.
`,
  lookAround: "First, what environment is this?",
  goal: (version) => `## Goal
The till adds up right: quantities count, amounts are exact to the cent, and the changelog says so.

## Checklist
- The test suite passes. run: \`npm test\`
- Three pieces at 0.10 cost exactly 0.3. run: \`${CENTS_COMMAND}\`
- CHANGELOG.md has an entry for version ${version}.
`,
  tempted: "It is one small test. I will quickly write it myself.",
  delegated: (round) =>
    round === 1 ? "Right: this is for the worker." : "The judge is right. The worker mends it.",
  task: (round, version, artifacts) =>
    round === 1
      ? `BUG.md: the total in src/total.js ignores quantities. Mend it, add a test, put the fix into CHANGELOG.md under version ${version}, run npm test. Long output goes to ${artifacts}; reply with paths and the conclusion.`
      : `${EN.secondRound}: three pieces at 0.10 must cost exactly 0.3 (src/total.js); count in cents. Add a test, run npm test. Version ${version} in CHANGELOG.md stays. Long output goes to ${artifacts}.`,
  secondRound: "Sent back by the judge",
  goesOn: "A worker was cut off. It goes on where it was.",
  goOn: "You were cut off. Look at what is there, go on where you were, and report as agreed.",
  goOnSummary: "Go on",
  coordinatorDone: "The worker reports that it is done and that the tests pass. The judge may look.",
  coordinatorWoken:
    "Everything that was asked has been done and reported; there is nothing left to hand out.",
  report: (
    round,
    tests,
  ) => `Conclusion: ${round === 1 ? "quantities count now" : "amounts are counted in cents now"}.
Evidence: npm test: ${tests}.
Artifacts: src/total.js, test/, CHANGELOG.md.
Unverified: nothing.`,
  changelog: (version) =>
    `# Changelog\n\n## ${version}\n\n- The total takes quantities into account.\n\n## 1.0.0\n\n- The till opens.\n`,
  judging: "I run the checks myself.",
  failedMark: "seen by the judge:",
  verdict: (failed) =>
    failed.length === 0
      ? "## Conclusion\nachieved\n\n## Reason\nI ran every check here and saw each one pass.\n\n## Failed\n(empty)\n"
      : `## Conclusion\nnot yet\n\n## Reason\n${failed.length} of 3 checks failed when I ran them; the others passed.\n\n## Failed\n${failed.map((item) => `- ${item}`).join("\n")}\n`,
  checkNames: [
    "The test suite passes",
    "Three pieces at 0.10 cost exactly 0.3",
    "CHANGELOG.md has the entry",
  ],
};

const ZH: Story = {
  ask: "收银合计算错了,见 BUG.md,请修好。",
  question: "BUG.md 没说这次修复属于哪个版本。CHANGELOG.md 里该写在哪个版本下面?",
  options: ["1.0.1", "1.1.0"],
  answer: "1.0.1",
  brief: (version) => `## 目标
收银合计要把数量算进去,金额精确到分。

## 验收标准
- \`npm test\` 通过,并且有针对数量的测试。
- 三件单价 0.10 的商品合计正好是 0.3。
- CHANGELOG.md 把这次修复写在版本 ${version} 下面。

## 边界
只动 \`src/total.js\`、它的测试和 CHANGELOG.md,不加依赖。

## 未知与假设
价格最多两位小数。
`,
  lookAround: "先看清这是什么环境。",
  goal: (version) => `## 目标
收银合计算得对:数量算进去,金额精确到分,变更记录里写明。

## 判定清单
- 测试全部通过。 run: \`npm test\`
- 三件单价 0.10 的商品合计正好是 0.3。 run: \`${CENTS_COMMAND}\`
- CHANGELOG.md 有版本 ${version} 的条目。
`,
  tempted: "一个小测试而已,我顺手自己写了吧。",
  delegated: (round) => (round === 1 ? "对,这是 worker 的活。" : "判定者说得对,让 worker 补上。"),
  task: (round, version, artifacts) =>
    round === 1
      ? `BUG.md:src/total.js 的合计没有算数量。改好,补一个测试,在 CHANGELOG.md 的版本 ${version} 下面写上这次修复,运行 npm test。长输出写到 ${artifacts},回复只给路径和结论。`
      : `${ZH.secondRound}:三件单价 0.10 的商品合计必须正好是 0.3(src/total.js),按分来算。补一个测试,运行 npm test。CHANGELOG.md 里的版本 ${version} 不动。长输出写到 ${artifacts}。`,
  secondRound: "判定者退回",
  goesOn: "有个 worker 干到一半断了,让它接着干。",
  goOn: "你刚才断了。看看现场,从断的地方接着干,照旧汇报。",
  goOnSummary: "接着干",
  coordinatorDone: "worker 汇报做完了,测试通过。请判定者来看。",
  coordinatorWoken: "要做的都做完并汇报过了,没有别的可派。",
  report: (round, tests) => `结论:${round === 1 ? "数量已经算进去了" : "金额改成按分计算了"}。
证据:npm test:${tests}。
产物:src/total.js、test/、CHANGELOG.md。
未验证:无。`,
  changelog: (version) =>
    `# Changelog\n\n## ${version}\n\n- 合计把数量算进去。\n\n## 1.0.0\n\n- The till opens.\n`,
  judging: "我自己跑一遍检查。",
  failedMark: "判定者亲眼所见:",
  verdict: (failed) =>
    failed.length === 0
      ? "## 结论\n达成\n\n## 理由\n每一条检查我都在这里跑过,都亲眼看到通过。\n\n## 未通过\n(空)\n"
      : `## 结论\n未达成\n\n## 理由\n3 条检查里有 ${failed.length} 条跑出来不通过,其余通过。\n\n## 未通过\n${failed.map((item) => `- ${item}`).join("\n")}\n`,
  checkNames: ["测试全部通过", "三件单价 0.10 的商品合计正好是 0.3", "CHANGELOG.md 有对应条目"],
};

export const STORIES: PerLang<Story> = { en: EN, zh: ZH };

/** The version number that a human named; anything else is no version, and the story's own is taken. */
export function versionIn(answer: string, story: Story): string {
  return /\d+(?:\.\d+)+/.exec(answer)?.[0] ?? story.answer;
}

/** The version that a brief, a goal or a task speaks of. */
export function versionSpokenOf(text: string, story: Story): string {
  return /(?:version|版本) (\d+(?:\.\d+)+)/.exec(text)?.[1] ?? story.answer;
}
