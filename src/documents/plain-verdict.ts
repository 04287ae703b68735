import { linesOf, saysNothing } from "./tidy.ts";

/**
 * The words in which a verdict may say that nothing is wanting: a closed list, clause by clause. What is not in it,
 * a digit above all, may be the one check that failed, so nothing that holds it passes. Growing the list saves a
 * round here and there; every form in it must be one that no judge can write about a part of the checks.
 */

/** Emphasis, quotation and the signs for "good" around a word. They say nothing themselves. */
const DECORATION = /[*`"“”「」『』【】✅✓✔☑🟢]|[\uFE0E\uFE0F]|(?<![\p{L}\p{N}])[_']+|[_']+(?![\p{L}\p{N}])/gu;
/** A quotation, a `#`, a bullet. */
const LINE_START = /^[\s>#]*(?:[-+•]\s+)?/;

/** A judge's words in lower case, without what decorates them. */
export function plainWords(text: string): string {
  return linesOf(text.toLowerCase().replaceAll(DECORATION, ""))
    .map((line) => line.replace(LINE_START, ""))
    .join("\n")
    .trim();
}

const NUMBER_EN = "(?:\\d{1,6}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
// One number: in `二三条` it finds 三, and what is left over does not pass.
const NUMBER_ZH = "(?:\\d{1,6}|[一二三]?十[一二三四五六七八九]?|[一二两三四五六七八九])";
/**
 * Counts of all there is become the word for it; a digit that is left over belongs to another count, and does not
 * pass. In this order: no later pattern may take such a leftover for the number after a word that an earlier one set.
 */
const COUNTS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z])\(s\)/g, "s"],
  [new RegExp(`\\ball (?:of )?(?:the |these )?${NUMBER_EN}\\b(?! {0,2}(?:[/／]|(?:out )?of))`, "g"), "all"],
  [
    new RegExp(
      `(?<![每/／\\d])${NUMBER_ZH} {0,2}[条项个](?:检查项?|条目|验收标准|标准)?(?:已经?|现已)?(?=全|都|均)`,
      "g",
    ),
    "全部",
  ],
  [new RegExp(`(?:全部|所有)(?:的|这)? {0,2}${NUMBER_ZH} {0,2}[条项个]`, "g"), "全部"],
  [/([1-9]\d{0,5}) {0,2}[/／] {0,2}\1 {0,2}[条项个]/g, "全部"],
  [/(?:\ball )?([1-9]\d{0,5}) {0,2}(?:[/／]|(?:out )?of(?: the)?) {0,2}\1/g, " all "],
  [/100 {0,2}[%％]/g, " all "],
  // As test runners count: what they ran is no check of the list, and with no failure beside it, it is all.
  [/\b\d{1,6} (?:unit )?tests? pass(?:ed)?(?:,| and) (?:0|no|zero) fail(?:ures|ed)\b/g, "all tests pass"],
  [/\d{1,6} ?个(?:单元)?测试(?:全部|均|都)?通过[,，、] ?0 ?个?失败/g, "全部测试通过"],
];

const CLAUSE_END = /[,，、;；:：()（）/／\n。！!]|\s[-–]+\s|[—–]+|\.(?=[\s)）]|$)/;

/** The clauses of plain words; none is empty. */
function clausesOf(words: string): readonly string[] {
  const counted = COUNTS.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), words);
  return counted
    .split(CLAUSE_END)
    .map((clause) => clause.trim().replaceAll(/\s+/g, " "))
    .filter((clause) => clause !== "");
}

/** A pattern for a whole clause; the spaces in its parts are those between the words. */
function whole(...parts: readonly string[]): RegExp {
  return new RegExp(`^${parts.join("")}$`);
}

const EVERY_EN =
  "(?:everything|(?:all|every|each)(?: of)?(?: the| these)?(?: (?:tests?|checks?|check items?|criteria|criterion|items?|goals?))?)";
const EVERY_ZH =
  "(?:(?:全部|所有|每一?[条项]|[各逐][条项])的?(?:检查项?|条目|验收标准|标准|目标|测试)?|(?:检查项|条目|测试)(?=全|都|均))";

const ACHIEVED = [
  whole(
    "(?:(?:so|thus|hence|therefore|overall) )?",
    "(?:(?:(?:the|my|final) ){0,2}(?:conclusion|verdict|result|status|state) (?:is )?)?",
    "(?:(?:i|we) (?:judge|find|consider|deem|rule|confirm|conclude) (?:that )?)?",
    `(?:(?:it|(?:(?:the|this) )?(?:(?:whole|entire) )?(?:goal|objective)|${EVERY_EN}) )?`,
    "(?:(?:is|are|was|were|has|have|been|now|all|fully|completely|clearly|already|indeed) ){0,5}",
    `achieved(?: in full| ${EVERY_EN})?`,
  ),
  whole(
    "(?:综上(?:所述)?|所以|因此|经(?:逐[条项])?检查)?",
    "(?:最终)?(?:(?:结论|判定结论|判定结果|判定|结果|状态)[是为]?)?",
    "(?:我?(?:认为|确认|判定))?",
    `(?:(?:本轮|本次|整个)?(?:目标)?|${EVERY_ZH})?`,
    "(?:全部|全都|都|均|已经?|现已|完全|确实){0,4}",
    "达成了?(?:全部|所有|all)?(?:目标)?",
  ),
];

/** "All that was asked holds", "I ran every check", "see the reason". */
const ALL_HOLD = [
  whole(
    `(?:and )?${EVERY_EN}`,
    "(?: (?:is|are|was|were|has been|have been))?(?: (?:pass(?:es|ed|ing)?|fulfilled|satisfied|met|verified|seen|holds?))?(?: with evidence)?",
  ),
  whole(
    "(?:and )?(?:i|we)(?: have)? (?:saw|seen|ran|run|checked|verified|looked at|went through) ",
    `${EVERY_EN}(?: (?:pass|fulfilled|satisfied|met|hold))?`,
  ),
  whole(
    `(?:我)?${EVERY_ZH}(?:我|都|均|全部|已经?|亲眼|亲自){0,4}`,
    "(?:看到|看见|看|检查|核实|验证)?过?(?:通过|满足|成立|有证据)?了?",
  ),
  whole("(?:see (?:the )?reasons?(?: below)?|详?见(?:下面的?)?理由)"),
];

const NONE_EN = "(?:no|none|nothing|0|zero)(?: of (?:the|these|them))?";
/** "No check failed": denies that anything is wanting. */
const NONE_FAILED = [
  whole(NONE_EN, "(?: checks?| items?)?(?: (?:has|have|is|are|was|were))? (?:failed|failing|unverifiable)"),
  whole("(?:no|0|zero) (?:failed|failing|open|unverifiable) (?:checks?|items?)"),
  whole("(?:没有|并?无)(?:任何)?(?:未|没有?|不|无法|不能)(?:通过|达成|满足|验证)的?(?:条目|检查项|检查|项)?"),
];
const NO_PROBLEM = [
  whole(
    "(?:no|0|zero) (?:test failed|tests failed|failures|(?:problems?|issues?)(?: (?:was |were )?found)?)",
  ),
  whole("(?:没有|未|并?无)(?:发现)?(?:任何)?问题"),
];

/** What introduces the state, and the number of the round in a title. */
const LABEL = whole(
  "(?:(?:(?:the|my|final) ){0,2}(?:conclusion|verdict|result|status)|overall|therefore",
  "|(?:最终)?(?:结论|判定|判定结果|结果)|综上(?:所述)?|因此|经(?:逐[条项])?检查)",
);
const ROUND = whole(`(?:第 ?${NUMBER_ZH} ?轮(?:判定)?|round ${NUMBER_EN}(?: of (?:the work|${NUMBER_EN}))?)`);

function isOneOf(patterns: readonly RegExp[], clause: string): boolean {
  return patterns.some((pattern) => pattern.test(clause));
}

function saysAchievedIn(clause: string): boolean {
  // Chinese has no spaces between words, but people set some around figures and foreign words.
  return isOneOf(ACHIEVED, clause) || isOneOf(ACHIEVED, clause.replaceAll(" ", ""));
}

function takesNothingBack(clause: string): boolean {
  const joined = clause.replaceAll(" ", "");
  const remarks = [...ALL_HOLD, ...NONE_FAILED, ...NO_PROBLEM, LABEL, ROUND];
  return saysAchievedIn(clause) || isOneOf(remarks, clause) || isOneOf(remarks, joined);
}

/** Whether plain words say that the goal is achieved, and nothing that could take it back. */
export function saysPlainlyAchieved(words: string): boolean {
  // `1` alone on the first line is the state; further down it could be the number of a check.
  const clauses = clausesOf(words.replace(/^1[ \t]*(?:\n|$)/, "achieved\n"));
  return clauses.some(saysAchievedIn) && clauses.every(takesNothingBack);
}

/** Whether a section is the title of a document: it names the round that was judged, and nothing else. */
export function namesOnlyTheRound(text: string): boolean {
  const clauses = clausesOf(plainWords(text));
  return clauses.length > 0 && clauses.every((clause) => ROUND.test(clause));
}

const NOTHING = whole(
  "(?:(?:there (?:is|are) )?(?:none|nothing)|no checks|无|没有|暂无",
  "|(?:0|zero|零)(?: ?(?:条|项|个|checks?|items?))?)",
);
const ALL_PASSED = whole("(?:全部(?:都|均)?已?通过|all (?:checks |items )?pass(?:ed)?)");

/**
 * Whether an item of the failed list says that nothing failed: `无`, `0 条`, `none (all checks pass)`, `全部通过`. A
 * "none" with any other remark (`none (check 3 goes to the human)`) names something. So does a clause that could be
 * the words of the check that failed ("all tests pass", "no problems found").
 */
export function saysNothingFailed(item: string): boolean {
  if (saysNothing(item)) return true;
  const [first, ...remarks] = clausesOf(plainWords(item).replace(/^n\/a\b/, "none"));
  return (
    first !== undefined &&
    isOneOf([NOTHING, ALL_PASSED, ...NONE_FAILED], first) &&
    remarks.every(takesNothingBack)
  );
}
