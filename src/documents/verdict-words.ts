import { VERDICT_STATES, type VerdictState } from "../lang/headings.ts";
import { LANGS } from "../lang/lang.ts";
import { bareWords, linesOf, saysNothing, tidyLines } from "./tidy.ts";

/**
 * Reads a judge's words. Two directions of error are not alike: work that is sent back once too often costs a
 * round, work that passes unjudged is the failure all of this is built against. So unreachable and not yet are
 * looked for generously, while achieved must be said plainly: a clause that consists of nothing else, in a text
 * that holds no word of doubt anywhere.
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
const DENIAL_ZH =
  "(?:没有|并无|不存在|无)(?:任何|一条|一项|哪条)?(?:无法|没法|未|不能|没有?)(?:被|能)?(?:达成|验证|判定|判断|确认|通过|满足|完成)的?";
const DENIAL_EN =
  "\\b(?:no|none|nothing|not|zero|neither)\\b(?: (?:of|the|these|them|check|checks|item|items|one|is|are|was|were|that|which|left|remaining)){0,5} (?:unreachable|unverifiable|unachieved|incomplete|impossible|untestable|inconclusive)\\b";
const DENIED = new RegExp(`${DENIAL_ZH}|${DENIAL_EN}`, "gi");
/** The same when it is all that is said: "no unreachable code handling" and `没有未通过时的处理` name a lack. */
const PLAINLY_DENIED = new RegExp(
  `(?:${DENIAL_ZH}(?:条目|检查项|检查|项)?|${DENIAL_EN}(?: (?:checks?|items?|here))?)(?=\\s*(?:[,.;!)，。；！）\\n]|$))`,
  "gi",
);

/** The state that the text of a conclusion names, or "" when it names none plainly. */
export function stateIn(conclusion: string): VerdictState | "" {
  const whole = wholeState(conclusion);
  if (whole !== "") return whole;
  const words = withoutMarks(conclusion);
  const named = negativeState(words);
  if (named !== "") return named;
  const digit = loneDigit(words);
  if (digit === "not_yet") return digit;
  const said = digit === "achieved" || paragraphsOf(words).some(saysAchieved);
  return said && !isDoubtful(words) ? "achieved" : "";
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
  return ends.some(saysAchieved) && !isDoubtful(words) ? "achieved" : "";
}

/** What stands between these marks has been taken back. */
const STRUCK_OUT = "~~";

/** The state if a single known word is all that the text consists of. */
function wholeState(text: string): VerdictState | "" {
  const bare = bareWords(text).toLowerCase();
  if (text.includes("-1") || text.includes(STRUCK_OUT)) return "";
  return Object.hasOwn(WHOLE, bare) ? (WHOLE[bare] ?? "") : "";
}

/** Whether a conclusion is a bare state, which is no reason. */
export function isBareState(text: string): boolean {
  const bare = bareWords(text).toLowerCase();
  return wholeState(text) !== "" || LANGS.some((lang) => Object.values(VERDICT_STATES[lang]).includes(bare));
}

function negativeState(words: string): "unreachable" | "not_yet" | "" {
  const sober = withoutUnderscores(words).replaceAll(DENIED, " ");
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

/** `_not_` is emphasis too, but an underscore counts as a letter: `\b` does not see the word. */
function withoutUnderscores(words: string): string {
  return words.replaceAll("_", " ");
}

function paragraphsOf(text: string): readonly string[] {
  return tidyLines(text).split(/\n{2,}/);
}

/**
 * Words of doubt, condition, exception, negation, failure or limitation. Long on purpose, and blunt: "it crashed no
 * more" is turned away as well, which costs one round.
 */
const DOUBT_ZH = [
  "如果|若|假|只|一旦|倘|要是|万一|应该|应当|应可|应能|理应|可能|也许|或许|大概|大约|似乎|貌似|好像|看来|看起来|看上去",
  "估计|推测|猜|恐怕|疑|是否|能否|可否|与否|否则|否|但|不|然而|却|虽|尽管|除(?<![删清移去解排消扣废拆]除)|例外|以外|之外",
  "仅|部分|多数|大多|大体|大致|基本|几乎|差不多|接近|差[一点了]|勉强|少数|个别|某些|有些|有的|一半|限于|尚|仍",
  "还(?<![归偿返]还)(?!原)|還|才能|才算|之前|以前|原本|曾经|即将|将[要会]|暂|有待|待[验确补修定办完测查]|后续|延后|推迟",
  "[没沒未别勿]|[无無](?!误|誤)|非(?!常)|失[败敗]|崩|[错錯]|坏|壞|异常|故障|超时|卡[住死]|缺|漏|丢失|问题|問題|隐患|警告|告警",
  "跳过|略过|忽略|拒绝|难|理论上|原则上|据[说称]|[声自宣]称|过不|另说|再议|再说|再看|代为|修[好复补]|需要|仍需|还需|可惜|遗憾|违反|泄[漏露]|偏差|口头|纸面",
];
const DOUBT_EN = [
  // Negation, and contractions of it with every apostrophe or none.
  "not|no|nor|none|nothing|nobody|nowhere|neither|never|cannot|without|hardly|barely|scarcely|rarely|seldom|nope",
  "(?:do|does|did|is|was|were|are|has|have|had|would|could|should|ca|wo|ai)nt",
  // Exception and contrast.
  "but|however|though|although|despite|notwithstanding|nevertheless|nonetheless|yet|still|while|whereas|albeit|instead",
  "except|exceptions?|excepting|excluding|excluded?|excludes|exclusions?|other than|rather|apart|aside|besides|minus",
  // Part of it.
  "only|merely|partial|partially|partly|parts?|mostly|mainly|largely|almost|nearly|virtually|practically|essentially",
  "basically|roughly|approximately|somewhat|some|most|many|few|half|several|incomplete\\w*|limit\\w*|limitations?",
  // Something is not there, or not well.
  "pending|missing|lack\\w*|absen\\w+|broke|broken|breaks?|breaking|fail\\w*|crash\\w*|error\\w*|bugs?|buggy|defect\\w*",
  "fault\\w*|flaw\\w*|flak\\w+|wrong\\w*|false\\w*|bad|badly|poor\\w*|red|problem\\w*|issues?|trouble\\w*|concern\\w*|caveats?",
  "reservations?|warn\\w*|regress\\w*|timeouts?|timed out|hangs?|hung|stuck|block(?:s|ed|ers?|ing)|skip\\w*|ignor\\w+|omit\\w*|disabled?",
  "defer\\w*|postpone\\w*|todo|tbd|fixme|later|remain\\w*|(?:is|are) (?:left|open)|outstanding|needs?|needed|stub\\w*|mock\\w*|placeholders?",
  "fake\\w*|workarounds?|refus\\w+|reject\\w*|contradict\\w*|disagree\\w*|disput\\w+|question\\w*|sometimes|intermittent\\w*",
  "occasional\\w*|un(?!i(?![mn])|der|do)\\w{3,}|in(?:correct|valid|conclusive|consistent|sufficient|adequate|accurate|ability)\\w*",
  // Condition and doubt.
  "if|when|whether|unless|until|once|before|would|should|could|may|might|maybe|perhaps|possibl[ey]|probabl[ey]|likely",
  "assum\\w+|presum\\w+|suppos\\w+|provided|depend(?:s|ed|ing|ent)?|conditional\\w*|seem\\w*|appear\\w*|apparent\\w*|claim\\w*|alleg\\w+|says?|said",
  "doubt\\w*|suspect\\w*|guess\\w*|believ\\w+|think|thought|hope\\w*|hoping|expected to|in theory|theoretical\\w*|in principle",
  "spite|save for|bar|sans|mess|messy|(?:had|have|has) to|must|fix(?:ed|es|ing)?|repair\\w*|mend(?:ed|s|ing)?|on paper|to follow|follow-?up|unfortunately|sadly",
  "regret\\w*|imperfect\\w*|mismatch\\w*|violat\\w*|leak\\w*|corrupt\\w*|deviat\\w*|abort\\w*|panic\\w*|await\\w*|waiv\\w*|trust\\w*",
  "to be|will|soon|eventually|previously|formerly",
];
const DOUBT = new RegExp(
  `${DOUBT_ZH.join("|")}|\\b(?:${DOUBT_EN.join("|")})\\b|n['’‘ʼ´′＇]t\\b|[?？❌✗✘⚠⛔🚫]|~~`,
  "iu",
);

/** Whether a text says, suggests or counts out that something is not as it should be, anywhere in it. */
function isDoubtful(words: string): boolean {
  const sober = withoutUnderscores(words).replaceAll(PLAINLY_DENIED, " ");
  if (DOUBT.test(sober.replaceAll(/\s+/g, " "))) return true;
  return [...sober.matchAll(SHARES)].some(([, part, all]) => Number(part) !== Number(all));
}

/** `5/7`, `5 of 7`. */
const SHARES = /(\d{1,6})\s{0,3}(?:\/|out of|of(?: the)?)\s{0,3}(\d{1,6})/gi;
/** What makes of "achieved" its opposite when it stands right after it: "achieved: n", "achieved: 80%". */
const DENIAL = /^(?:n|0)$|^(?!100[ %％])\d{1,3}(?:\.\d{1,6})? {0,3}[%％]/i;

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

/** Whether a paragraph has a clause that says that the goal is achieved, and nothing more. */
function saysAchieved(paragraph: string): boolean {
  return paragraph.split(SENTENCE_END).some((sentence) => {
    const clauses = sentence.split(CLAUSE_END).map(bareWords);
    const at = clauses.findIndex(isAchievedClause);
    const after = at === -1 ? undefined : clauses.slice(at + 1).find((clause) => clause !== "");
    return at !== -1 && !DENIAL.test(after ?? "");
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

/**
 * Whether an item of the failed list says that nothing failed: `无`, `none (all checks pass)`, `全部通过`. A "none"
 * whose remark is doubtful (`None - all tests crash`) names something that failed.
 */
export function saysNothingFailed(item: string): boolean {
  const bare = bareWords(item);
  if (saysNothing(item) || NOTHING_FAILED.test(bare)) return true;
  const [nothing] = NOTHING_AND_REMARK.exec(bare) ?? [];
  if (nothing === undefined) return false;
  const remark = bare.slice(nothing.length);
  return NOTHING_FAILED.test(bareWords(remark)) || !isDoubtful(withoutMarks(remark));
}
