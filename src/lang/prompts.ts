import { joinParagraphs } from "../base/text.ts";
import { messages, type PerLang } from "./lang.ts";

/**
 * What flower itself says to a model, or asks the human, on the way of a run.
 *
 * `brief` and `goal` are `promptBlock()`s of frozen documents and go in as they are. Everything that a human, a
 * model or a command said goes in as a quotation, so that no line of it can pass for one of ours.
 */
export interface Prompts {
  /** Starts the clarifier on the one sentence that the user typed. */
  readonly clarifyPrompt: (of: { readonly ask: string }) => string;
  /** Follows either prompt of the clarifier when something stands in the brief's file already. */
  readonly clarifyWritten: (of: { readonly path: string; readonly written: string }) => string;
  /** Sends the clarifier back into its session; `missing` are section headings. */
  readonly clarifyResume: (of: { readonly missing: readonly string[] }) => string;
  /** The judge's first task. */
  readonly goalPrompt: (of: { readonly brief: string }) => string;
  /** The judge's second task; `evidence` is what flower saw of the goal's `run:` commands. */
  readonly verifyPrompt: (of: {
    readonly goal: string;
    readonly round: number;
    readonly evidence?: string | undefined;
    /** The judge works in a copy of the workspace. */
    readonly inCopy?: boolean | undefined;
  }) => string;
  /** Starts the coordinator; `workbench` is the path to pass on. */
  readonly workPrompt: (of: {
    readonly brief: string;
    readonly goal?: string | undefined;
    readonly workbench?: string | undefined;
  }) => string;
  /** Wakes the coordinator in its old session; `goal` is the one it does not know yet. */
  readonly workResume: (of: {
    readonly ask?: string | undefined;
    readonly goal?: string | undefined;
  }) => string;
  /** Names workers that were cut off, whose ids the coordinator never got to see (HARNESS 13.1). */
  readonly unfinishedWorkers: (of: {
    readonly workers: readonly { readonly id: string; readonly role: string }[];
  }) => string;
  /** Asked of the human, with `unreachableOptions`; a free answer counts as `wrong`. */
  readonly unreachableQuestion: (of: {
    readonly reason: string;
    readonly failed: readonly string[];
  }) => string;
  readonly unreachableOptions: { readonly accept: string; readonly amend: string; readonly wrong: string };
  /** Asked of the human after `amend`. */
  readonly amendGoalQuestion: string;
  /** Follows the verdict when the human was asked about it; `goal` is the one they amended. */
  readonly humanDecided: (of: { readonly words: string; readonly goal?: string | undefined }) => string;
  /** The reason of a verdict that gave none that could be read. */
  readonly defaultReason: string;
  /** Asked of the oracle; `events` are one line each, oldest first. */
  readonly oraclePrompt: (of: { readonly question: string; readonly events: readonly string[] }) => string;
  readonly abortNoRuntime: string;
  readonly abortUnreachable: (of: { readonly reason: string }) => string;
}

/** A markdown quotation. Unlike a fence, nothing inside can end it. */
function quote(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** One list item for each entry that says something; an item stays on its line. */
function list(items: readonly string[]): string {
  return items
    .map((item) => item.trim().replaceAll(/\s+/g, " "))
    .filter((item) => item !== "")
    .map((item) => `- ${item}`)
    .join("\n");
}

/** `text(value)`, or nothing when there is no value to speak of. */
function given(value: string | undefined, text: (value: string) => string): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : text(value.trim());
}

const EN: Prompts = {
  clarifyPrompt: ({ ask }) =>
    joinParagraphs(
      "This is what a human wants, in their own words:",
      quote(ask),
      "Settle what is to be built: look at what is there, ask what has to be asked, then reply with the brief and nothing else.",
    ),
  clarifyWritten: ({ path, written }) =>
    joinParagraphs(
      `This is written in ${path} already:`,
      quote(written),
      "It is the human's own: keep what it settles, in their words where you can, and ask only about what it leaves open.",
    ),
  clarifyResume: ({ missing }) =>
    joinParagraphs(
      missing.length === 0
        ? "The brief is not complete, or you were interrupted before you had written it."
        : `The brief is not complete. Missing or empty: ${missing.join(", ")}.`,
      "What was answered still holds; do not ask it again. Ask what is open, decide what nobody answers, and reply with the whole brief: all four sections, nothing else.",
    ),
  goalPrompt: ({ brief }) =>
    joinParagraphs(
      "Set the goal. This is the brief, frozen:",
      brief.trim(),
      "Look first at what environment you are in. Then reply with the goal and the checklist: exactly two sections.",
    ),
  verifyPrompt: ({ goal, round, evidence, inCopy = false }) =>
    joinParagraphs(
      `Judge: round ${round}. This is the goal:`,
      goal.trim(),
      given(
        evidence,
        (text) => `flower has run the commands of the checklist itself and saw this:\n\n${quote(text)}`,
      ),
      inCopy
        ? "You are in a copy of the workspace: run whatever a check needs. Nothing that you do here reaches the original, and whoever changes the original voids the verdict."
        : "",
      "Somebody says that it is done. Look for yourself at what is there now, then reply with the verdict: exactly three sections.",
    ),
  workPrompt: ({ brief, goal, workbench }) =>
    joinParagraphs(
      "This is the brief, frozen. Have it built.",
      brief.trim(),
      given(goal, (text) => `When you say it is done, an independent judge checks exactly this:\n\n${text}`),
      given(
        workbench,
        (path) => `The workbench is at ${path}. Workers do not know that: say it in every task.`,
      ),
    ),
  workResume: ({ ask, goal }) =>
    joinParagraphs(
      "The run goes on, in the same directory and the same conversation. Time has passed: results of earlier commands may be stale, so look before you rely on them.",
      given(
        ask,
        (text) =>
          `The human says now:\n\n${quote(text)}\n\nThese words take precedence over the brief, the plan and everything decided before. They have been added to the brief.`,
      ),
      given(goal, (text) => `This is what the judge checks from now on:\n\n${text}`),
      "Go on from where you stopped; do not begin again with what is done.",
    ),
  unfinishedWorkers: ({ workers }) =>
    joinParagraphs(
      "These workers were cut off before they could report. Their work so far is kept: to go on with one, send it a message with SendMessage and its id, rather than starting another.",
      list(workers.map(({ id, role }) => `${role}: ${id}`)),
    ),
  unreachableQuestion: ({ reason, failed }) =>
    joinParagraphs(
      "The judge says that the goal cannot be reached here, whatever work is put in.",
      given(reason, (text) => `Its reason: ${text}`),
      given(list(failed), (text) => `Not passed:\n${text}`),
      "How shall it go on?",
    ),
  unreachableOptions: {
    accept: "Accept the result as it is and go on",
    amend: "Amend the goal",
    wrong: "The judge is wrong: keep working",
  },
  amendGoalQuestion:
    "What shall hold instead? Say what is dropped, changed or added; it is appended to the goal, and the next round is judged by it.",
  humanDecided: ({ words, goal }) =>
    joinParagraphs(
      `The human was asked about this verdict and says:\n\n${quote(words)}`,
      "These words take precedence over the verdict.",
      given(goal, (text) => `The goal was amended. This is what the judge checks from now on:\n\n${text}`),
    ),
  defaultReason:
    "The verdict could not be read: it has no clear conclusion. That never counts as achieved, so show for each check what can be seen.",
  oraclePrompt: ({ question, events }) =>
    joinParagraphs(
      events.length === 0
        ? "The run has shown no events yet."
        : `The latest events of the run, oldest first:\n\n${quote(events.join("\n"))}`,
      `The question:\n\n${quote(question)}`,
    ),
  abortNoRuntime:
    "The goal cannot be judged: the step does not run inside a runtime, and nothing passes unjudged.",
  abortUnreachable: ({ reason }) =>
    joinParagraphs(
      "the judge says that the goal cannot be reached here, and nobody answered how to go on. Working on would only have cost money.",
      given(reason, (text) => `Its reason: ${text}`),
    ),
};

const ZH: Prompts = {
  clarifyPrompt: ({ ask }) =>
    joinParagraphs(
      "有人想要这个，下面是他的原话：",
      quote(ask),
      "把要做什么定清楚：先看现有的东西，该问的问清，最后的回复只写需求，别的都不写。",
    ),
  clarifyWritten: ({ path, written }) =>
    joinParagraphs(
      `${path} 里已经写了这些：`,
      quote(written),
      "这是他自己写的：已经定了的照用，尽量用原话；只问还没定的。",
    ),
  clarifyResume: ({ missing }) =>
    joinParagraphs(
      missing.length === 0
        ? "需求还不完整，或者你还没写完就被打断了。"
        : `需求还不完整。缺少或为空的：${missing.join("、")}。`,
      "已经回答过的仍然算数，不要重复问。还没定的去问，没人回答的自己决定，然后回复完整的需求：四节齐全，别的都不写。",
    ),
  goalPrompt: ({ brief }) =>
    joinParagraphs(
      "定目标。需求如下，已经冻结：",
      brief.trim(),
      "先看清你在什么环境里，再回复目标和判定清单：不多不少两节。",
    ),
  verifyPrompt: ({ goal, round, evidence, inCopy = false }) =>
    joinParagraphs(
      `下判定：第 ${round} 轮。目标如下：`,
      goal.trim(),
      given(evidence, (text) => `清单里的命令 flower 已经亲自运行过，看到的是：\n\n${quote(text)}`),
      inCopy
        ? "你在工作区的一份副本里：判定需要跑什么就跑什么。你在这里做的一切都到不了原来的工作区；谁动了原来的工作区，这次判定就作废。"
        : "",
      "有人说做完了。你亲自去看现在究竟有什么，再回复判定：不多不少三节。",
    ),
  workPrompt: ({ brief, goal, workbench }) =>
    joinParagraphs(
      "需求如下，已经冻结。安排人把它做出来。",
      brief.trim(),
      given(goal, (text) => `你说做完之后，会有独立的判定者按下面这份来查，不多也不少：\n\n${text}`),
      given(workbench, (path) => `工作台在 ${path}。worker 不知道这一点，每个任务里都要写明。`),
    ),
  workResume: ({ ask, goal }) =>
    joinParagraphs(
      "运行继续，还是同一个目录、同一段对话。中间隔了一段时间，先前的命令结果可能已经过期，要用先看一眼。",
      given(
        ask,
        (text) =>
          `人现在说：\n\n${quote(text)}\n\n这些话优先于需求、计划和之前定下的一切。它们已经追加进需求。`,
      ),
      given(goal, (text) => `从现在起，判定者按这份来查：\n\n${text}`),
      "从停下的地方接着干；已经做完的不要从头再来。",
    ),
  unfinishedWorkers: ({ workers }) =>
    joinParagraphs(
      "下面这些 worker 还没来得及汇报就断了。它们干到一半的活都还在：要接着干，就用 SendMessage 按 id 给它发消息，不要另派新的。",
      list(workers.map(({ id, role }) => `${role}：${id}`)),
    ),
  unreachableQuestion: ({ reason, failed }) =>
    joinParagraphs(
      "判定者认为：再怎么干，目标在这里也达不成。",
      given(reason, (text) => `理由：${text}`),
      given(list(failed), (text) => `未通过：\n${text}`),
      "接下来怎么办？",
    ),
  unreachableOptions: {
    accept: "接受现在的结果，继续往下走",
    amend: "修改目标",
    wrong: "判定有误，接着干",
  },
  amendGoalQuestion: "目标要改成什么样？写明去掉、修改或增加哪些。这些话会追加到目标里，下一轮按它判定。",
  humanDecided: ({ words, goal }) =>
    joinParagraphs(
      `就这个判定问过人，人说：\n\n${quote(words)}`,
      "这些话优先于判定。",
      given(goal, (text) => `目标已经修改。从现在起，判定者按这份来查：\n\n${text}`),
    ),
  defaultReason: "判定读不出来：没有明确的结论。这绝不算达成，所以请让每一条检查都有看得见的证据。",
  oraclePrompt: ({ question, events }) =>
    joinParagraphs(
      events.length === 0
        ? "这次运行还没有任何事件。"
        : `这次运行的最近事件，旧的在前：\n\n${quote(events.join("\n"))}`,
      `问题：\n\n${quote(question)}`,
    ),
  abortNoRuntime: "目标无法判定：这一步不在 Runtime 里运行，而没有判定就不能放行。",
  abortUnreachable: ({ reason }) =>
    joinParagraphs(
      "判定者认为目标在这里达不成，又没有人回答怎么办。继续干下去只会白花钱。",
      given(reason, (text) => `理由：${text}`),
    ),
};

export const PROMPTS: PerLang<Prompts> = messages(EN, ZH);

/** For a clarify step that goes on in its old session and knows no more than that. */
export const CLARIFY_RESUME: PerLang<string> = {
  en: EN.clarifyResume({ missing: [] }),
  zh: ZH.clarifyResume({ missing: [] }),
};

/** Follows the human's words (or stands alone) when an interrupted turn goes on. */
export const INTERRUPT_NOTE: PerLang<string> = {
  en: '[The human interrupted your turn. Calls in flight come back as interrupted or refused; that is a side effect of the interruption, not a fault of the environment, so do not look into it, and do not take a "stop" in their results for the end of the work. What the human says here comes first; then go on from where you were.]',
  zh: "[人打断了你这一轮。当时还在执行的调用会显示为被中断或被拒绝，这是打断的副作用，不是环境出了故障，不用去查；结果里的「停下」也不表示工作到此为止。人在这里说的话优先，然后从刚才的地方接着干。]",
};
