import { VERDICT_STATES, type VerdictState } from "../lang/headings.ts";
import { LANGS } from "../lang/lang.ts";
import { bareWords, linesOf, saysNothing, tidyLines } from "./tidy.ts";

/**
 * Reads a judge's words. Two directions of error are not alike: work that is sent back once too often costs a
 * round, work that passes unjudged is the failure all of this is built against. So unreachable and not yet are
 * looked for generously, while achieved must be said plainly: a clause that consists of nothing else.
 */

/** What judges write instead of the three words, when it is all they write. */
const WHOLE: Readonly<Record<string, VerdictState>> = {
  "1": "achieved",
  true: "achieved",
  pass: "achieved",
  passed: "achieved",
  通过: "achieved",
  全部通过: "achieved",
  "0": "not_yet",
  false: "not_yet",
  fail: "not_yet",
  failed: "not_yet",
  不通过: "not_yet",
  未通过: "not_yet",
};

const JUDGING_ZH = "验证|判定|判断|确认|核实|核验|检验|检查|证实|测试|评估|实现|达成|达到";
const JUDGING_EN =
  "verif(?:y|ied)|achieved?|reach(?:ed)?|met|determined?|judged?|confirm(?:ed)?|check(?:ed)?|test(?:ed)?|validated?|assess(?:ed)?|evaluated?|proven?|tell|decided?";

const UNREACHABLE = new RegExp(
  [
    `(?:无法|没法|没办法|没有办法|不能|不可能?|难以|无从|未能|没能)(?:在?(?:此|本|这个?|当前)环境(?:中|里|下)?)?(?:被|够|去)?(?:真正|实际|直接)?(?:${JUDGING_ZH})`,
    `(?:${JUDGING_ZH})不了`,
    "(?:判断|判定|确认|验证)不出",
    "达不(?:成|到)",
    "不可达",
    "\\b(?:unreachable|unachievable|unattainable|unverifiable|untestable|undeterminable|indeterminate|inconclusive|infeasible|impossible)\\b",
    "\\b(?:not|non)[ -]*(?:verifiable|testable|reachable|achievable|attainable|feasible|possible)\\b",
    `\\b(?:can ?not|can['’]?t|could not|couldn['’]?t|unable to|(?:not|isn['’]?t|wasn['’]?t) able to|no way to)(?: be)?(?: (?:yet|fully|actually|really|directly|independently))?(?: be)? (?:${JUDGING_EN})\\b`,
    "\\bno way (?:of|to) (?:verify|test|check|judg|confirm|tell|achiev|reach)",
  ].join("|"),
  "i",
);

const NOT_YET = new RegExp(
  [
    "(?:未|没有?|不|不算|不能算|称不上|谈不上)(?:能|完全|真正|全部|彻底)*(?:达成|达到|完成|满足|通过)",
    "(?:部分|基本上?|大体上?|接近|几乎|差一点|即将)(?:达成|完成|通过)",
    "\\bnot[ _-]*yet\\b",
    "\\b(?:not|never|hardly|barely|partially|partly|mostly|nearly|almost|largely|n['’]t)(?: (?:been|be|yet|fully|completely|entirely|quite|really|all|truly)){0,4} (?:achieved|met|reached|fulfilled|complete|completed|done)\\b",
    "n['’]t(?: (?:been|be|yet|fully|completely|entirely|quite|really|all|truly)){0,4} (?:achieved|met|reached|fulfilled|complete|completed|done)\\b",
    "\\b(?:un|non-?)achieved\\b",
    "\\bincomplete\\b",
    "\\bfail(?:s|ed)? to\\b",
  ].join("|"),
  "i",
);

/** `没有无法验证的条目`, "no check is unverifiable", "nothing unreachable": these deny what they name. */
const DENIED = new RegExp(
  [
    "(?:没有|并无|不存在|无)(?:任何|一条|一项|哪条)?(?:无法|没法|未|不能|没有?)(?:被|能)?(?:达成|验证|判定|判断|确认|通过|满足|完成)的?",
    "\\b(?:no|none|nothing|not|zero|neither)\\b(?: (?:of|the|these|them|check|checks|item|items|one|is|are|was|were|that|which|left|remaining)){0,5} (?:unreachable|unverifiable|unachieved|incomplete|impossible|untestable|inconclusive)\\b",
  ].join("|"),
  "gi",
);

/** The state that the text of a conclusion names, or "" when it names none plainly. */
export function stateIn(conclusion: string): VerdictState | "" {
  const whole = wholeState(conclusion);
  if (whole !== "") return whole;
  const words = withoutMarks(conclusion);
  const named = negativeState(words);
  if (named !== "") return named;
  if (paragraphsOf(words).some(saysAchieved)) return "achieved";
  return loneDigit(words);
}

/**
 * The same for a text that has no section for its conclusion. There only the first or the last paragraph can say
 * achieved: in between, a judge that argues writes "the goal is achieved when …". A digit counts only alone.
 */
export function stateInProse(text: string): VerdictState | "" {
  const whole = wholeState(text);
  if (whole !== "") return whole;
  const words = withoutMarks(text);
  const named = negativeState(words);
  if (named !== "") return named;
  const paragraphs = paragraphsOf(words);
  const ends = [...paragraphs.slice(0, 1), ...paragraphs.slice(-1)];
  return ends.some(saysAchieved) ? "achieved" : "";
}

/** The state if a single known word is all that the text consists of. */
function wholeState(text: string): VerdictState | "" {
  const bare = bareWords(text).toLowerCase();
  if (text.includes("-1")) return "";
  return Object.hasOwn(WHOLE, bare) ? (WHOLE[bare] ?? "") : "";
}

/** Whether a conclusion is a bare state, which is no reason. */
export function isBareState(text: string): boolean {
  const bare = bareWords(text).toLowerCase();
  return wholeState(text) !== "" || LANGS.some((lang) => Object.values(VERDICT_STATES[lang]).includes(bare));
}

function negativeState(words: string): "unreachable" | "not_yet" | "" {
  const sober = words.replaceAll(DENIED, " ");
  if (UNREACHABLE.test(sober)) return "unreachable";
  return NOT_YET.test(sober) ? "not_yet" : "";
}

/** A line that is `1` or `0` and nothing else (`1.` is how a list begins). */
function loneDigit(words: string): VerdictState | "" {
  const lines = new Set(linesOf(words).map((line) => line.trim()));
  if (lines.has("0")) return "not_yet";
  return lines.has("1") ? "achieved" : "";
}

function withoutMarks(text: string): string {
  return text.replaceAll(/[*`"“”「」『』【】]/g, "");
}

function paragraphsOf(text: string): readonly string[] {
  return tidyLines(text).split(/\n{2,}/);
}

/** Makes what a sentence says about achieving conditional, partial or doubtful. */
const DOUBT = new RegExp(
  [
    "如果|若|假如|假设|只要|一旦|倘|应该|应当|可能|也许|大概|似乎|看来|是否|能否|但|不过|然而|除|仅|只有|部分|尚|还差|还有|才能|才算|之前|以前|怀疑|[?？]",
    "\\b(?:if|when|whether|unless|until|once|before|would|should|could|may|might|maybe|perhaps|probably|likely|assuming|provided|seems?|appears?|claims?|says?|said|but|except|however|although|though|only|partial(?:ly)?|partly|doubt|believes?|to be)\\b",
  ].join("|"),
  "i",
);
/** Before the word, in the same sentence: "it is not, in my view, achieved". */
const NEGATION =
  /\b(?:not|no|nor|never|hardly|cannot|false|without)\b|n['’]t\b|不是|并非|并不|不能说|不认为|不等于|不同意/i;
/** After it: "achieved: no". */
const DENIAL = /^(?:no|nope|none|never|false|n|0)$|^not\b|^(?:否|不是|不对|假)|^[❌✗✘]/i;
/** `5/7`, `5 of 7`. */
const SHARE = /(\d{1,6})\s{0,3}(?:\/|out of|of(?: the)?)\s{0,3}(\d{1,6})/i;

const CLAUSE_END = /[,，、;；:：(（)）\n]|\s[-–]+\s|[—–]+/;
const SENTENCE_END = /[。！]+|[.!]{1,3}(?=\s|$)/;

/** Words that may stand around "achieved" in a clause that says that and nothing more. */
const AROUND_EN = new Set(
  (
    "so thus hence therefore verdict conclusion final state status result it this that all every everything each the " +
    "whole entire goal goals objective objectives check checks criteria item items is are was were has have had been " +
    "now also fully completely clearly i we judge find consider deem rule ✅ ✓ ✔"
  ).split(" "),
);
const AROUND_ZH =
  /综上所述|综上|所以|因此|结论|判定|结果|状态|最终|总体|整体|本轮|本次|经检查|检查项|检查|目标|全部|所有|每一条|每条|各条|条目|标准|已经|完全|确实|认为|确认|[的均都是为现已我✅✓✔\s]/g;

/** Whether a paragraph has a clause that says that the goal is achieved, with no doubt about it in its sentence. */
function saysAchieved(paragraph: string): boolean {
  return paragraph.split(SENTENCE_END).some((sentence) => {
    const [, part, all] = SHARE.exec(sentence) ?? [];
    if (part !== undefined && Number(part) !== Number(all)) return false;
    if (DOUBT.test(sentence)) return false;
    const clauses = sentence.split(CLAUSE_END).map(bareWords);
    const at = clauses.findIndex(isAchievedClause);
    if (at === -1) return false;
    const before = clauses.slice(0, at).join(" ");
    const after = clauses.slice(at + 1).find((clause) => clause !== "") ?? "";
    return !NEGATION.test(before) && !DENIAL.test(after);
  });
}

function isAchievedClause(clause: string): boolean {
  if (/达成了?$/.test(clause)) return /^达成了?$/.test(clause.replaceAll(AROUND_ZH, ""));
  const words = clause.toLowerCase().split(/\s+/);
  return words.at(-1) === "achieved" && words.slice(0, -1).every((word) => AROUND_EN.has(word));
}

const NOTHING_AND_REMARK = /^(?:无|没有|暂无|none|nothing|n\/a)\s{0,3}[(（,，.。;；:：—–-]/i;
const NOTHING_FAILED =
  /^(?:全部(?:都|均)?(?:已)?通过|(?:没有|无)未通过的?(?:条目|项)?|all (?:checks |items )?pass(?:ed)?|no failed (?:checks|items)|none failed|nothing failed)$/i;

/** Whether an item of the failed list says that nothing failed: `无`, `none (all checks pass)`, `全部通过`. */
export function saysNothingFailed(item: string): boolean {
  const bare = bareWords(item);
  return saysNothing(item) || NOTHING_AND_REMARK.test(bare) || NOTHING_FAILED.test(bare);
}
