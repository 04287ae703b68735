import { VERDICT_STATES, type VerdictState } from "../lang/headings.ts";
import { LANGS } from "../lang/lang.ts";
import { plainWords, saysPlainlyAchieved } from "./plain-verdict.ts";
import { linesOf } from "./tidy.ts";

/**
 * Reads a judge's words. Two directions of error are not alike: work that is sent back once too often costs a
 * round, work that passes unjudged is the failure all of this is built against. So unreachable and not yet are
 * looked for generously, while achieved must be said in words from a closed list.
 */

/** The words for a state, and what judges write instead of them, when it is all they write. */
const ALONE: Readonly<Record<VerdictState, readonly string[]>> = {
  achieved: ["1", "true", "pass", "passed", "通过", "全部通过", ...stateWords("achieved")],
  not_yet: ["0", "false", "fail", "failed", "不通过", "未通过", ...stateWords("not_yet")],
  unreachable: stateWords("unreachable"),
};
const STATES: readonly VerdictState[] = ["achieved", "not_yet", "unreachable"];

function stateWords(state: VerdictState): readonly string[] {
  return LANGS.map((lang) => VERDICT_STATES[lang][state]);
}

/** A pattern for every way of saying that something cannot be done, for verbs of both languages. */
function cannot(zh: string, en: string): string {
  const unable = "无法|没法|没办法|没有办法|不能|不可能?|难以|无从|未能|没能";
  const place = "(?:在?(?:此|本|这个?|当前)环境(?:中|里|下)?)?(?:被|够|去)?(?:真正|实际|直接)?";
  const cannotEn =
    "can ?not|can['’]?t|could not|couldn['’]?t|unable to|(?:not|isn['’]?t|wasn['’]?t) able to|no way (?:to|of)";
  const adverb = "(?: (?:yet|fully|actually|really|directly|independently))?";
  return [
    `(?:${unable})${place}(?:${zh})`,
    `(?:${zh})不了`,
    `\\b(?:${cannotEn})(?: be)?${adverb}(?: be)? (?:${en})\\b`,
  ].join("|");
}

/** What a judge says of a check it could not judge. Never a pass, wherever it stands (SPEC 6). */
const UNVERIFIABLE = [
  cannot(
    "验证|判定|判断|确认|核实|核验|检验|检查|证实|测试|评估|达成",
    "verif(?:y|ied|ying)|achiev(?:ed?|ing)|determined?|judg(?:ed?|ing)|confirm(?:ed)?|check(?:ed|ing)?|test(?:ed|ing)?|validated?|assess(?:ed)?|evaluated?|proven?|tell|decided?",
  ),
  "达不成|(?:判断|判定|确认|验证)不出",
  "\\b(?:unachievable|unattainable|unverifiable|untestable|undeterminable|indeterminate|inconclusive)\\b",
  "\\b(?:not|non)[ -]*(?:verifiable|testable|achievable|attainable)\\b",
].join("|");

/** Words that mean the same in a conclusion, and in a reason may describe the work ("the server is unreachable"). */
const OUT_OF_REACH = [
  cannot("实现|达到", "reach(?:ed|ing)?|met"),
  "达不到|不可达",
  "\\b(?:unreachable|infeasible|impossible)\\b",
  "\\b(?:not|non)[ -]*(?:reachable|feasible|possible)\\b",
].join("|");

const NOT_YET = [
  "(?:未|没有?|不|不算|不能算|称不上|谈不上)(?:能|完全|真正|全部|彻底)*(?:达成|达到|完成|满足|通过)",
  "(?:部分|基本上?|大体上?|接近|几乎|差一点|即将)(?:达成|完成|通过)",
  "\\bnot[ -]*yet\\b",
  "(?:\\b(?:not|never|hardly|barely|partially|partly|mostly|nearly|almost|largely)|n['’]t)(?: (?:been|be|yet|fully|completely|entirely|quite|really|all|truly)){0,4} (?:achieved|met|reached|fulfilled|complete|completed|done|pass|passed)\\b",
  "\\b(?:un|non-?)achieved\\b",
  "\\bincomplete\\b",
  "\\bfail(?:s|ed)? to\\b",
].join("|");

/** A check that is said to be bad, as a judge mentions it before it comes to its sections. */
const FAILS = [
  "\\b(?:checks?|criteri(?:on|a)|items?|tests?)\\b[^.!?;\\n]{0,40}?\\b(?:fail(?:s|ed|ing|ures?)?|broken|crash(?:es|ed)?|(?:is|are|still) (?:missing|red|open))\\b",
  "\\bfail(?:ed|ing) (?:checks?|criteri(?:on|a)|items?|tests?)\\b",
  "第 ?[\\d一二两三四五六七八九十]{1,3} ?[条项][^。！？；\\n]{0,20}?(?:失败|崩|报错|出错|坏|红|有问题)",
  "(?:失败|有问题)的(?:条目|检查项|检查|项)",
  "[❌✗✘✖]",
].join("|");

/** `没有无法验证的条目`, "no check is unverifiable", "none of the checks failed": these deny what they name. */
const DENIED = new RegExp(
  [
    "(?:没有|并无|不存在|无)(?:任何|一条|一项|哪条)?(?:(?:无法|没法|未|不能|没有?)(?:被|能)?(?:达成|验证|判定|判断|确认|通过|满足|完成)的?|失败的?|有?问题)",
    "\\b(?:no|none|nothing|not|zero|neither|without)\\b(?: (?:of|any|the|these|them|checks?|items?|tests?|one|is|are|was|were|has|have|that|which|left|remaining)){0,5} (?:unreachable|unverifiable|unachieved|incomplete|impossible|untestable|inconclusive|fail(?:ed|ing|ures)?|missing)\\b",
  ].join("|"),
  "gi",
);

const SAYS_UNREACHABLE = new RegExp(`${UNVERIFIABLE}|${OUT_OF_REACH}`, "i");
const SAYS_NOT_YET = new RegExp(NOT_YET, "i");
const SAYS_UNVERIFIABLE = new RegExp(UNVERIFIABLE, "i");
const SAYS_WANTING = new RegExp(`${UNVERIFIABLE}|${NOT_YET}|${FAILS}`, "i");

/** The state that a judge's conclusion names, or "" when it names none plainly. */
export function stateIn(conclusion: string): VerdictState | "" {
  const words = plainWords(conclusion);
  const alone = stateAlone(words);
  if (alone !== "") return alone;
  const sober = withoutDenials(words);
  if (SAYS_UNREACHABLE.test(sober)) return "unreachable";
  if (SAYS_NOT_YET.test(sober) || linesOf(words).some((line) => line.trim() === "0")) return "not_yet";
  return saysPlainlyAchieved(words) ? "achieved" : "";
}

/** The state if a single known word is all that plain words consist of. */
function stateAlone(words: string): VerdictState | "" {
  const word = words.replace(/[.。!！]$/, "");
  return STATES.find((state) => ALONE[state].includes(word)) ?? "";
}

/** Whether a conclusion is a bare state, which is no reason. */
export function isBareState(text: string): boolean {
  return stateAlone(plainWords(text)) !== "";
}

/** Whether a judge's reasons say of anything that it could not be verified, which is never a pass. */
export function admitsUnverified(reason: string): boolean {
  return SAYS_UNVERIFIABLE.test(withoutDenials(plainWords(reason)));
}

/** Whether what a judge says before its sections says of anything that it fails or could not be verified. */
export function saysWanting(preamble: string): boolean {
  return SAYS_WANTING.test(withoutDenials(plainWords(preamble)));
}

/** An underscore counts as a letter, so that `\b` would not see the word in `not_yet`. */
function withoutDenials(words: string): string {
  return words.replaceAll("_", " ").replaceAll(DENIED, " ");
}
