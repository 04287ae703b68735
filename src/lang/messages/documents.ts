import { messages } from "../lang.ts";

/** What stands around the sections of a document: titles for people, and the words that hand it to a model. */
export const documentMessages = messages(
  {
    briefTitle: "Brief",
    handoffTitle: "Handoff",
    briefIntro:
      "What is to be built. A human has confirmed it, and it is frozen: work to it, do not reinterpret it.",
    amendmentsNote:
      "The human added the following after the brief was frozen, in this order. Where it contradicts what stands above, or what was added earlier, the later words win.",
    goalIntro:
      "The goal, and the checklist it is judged by. Each check counts for itself; all of them must hold.",
    goalModified: "(modified)",
    goalModifiedNote:
      "The human has modified the goal: where a paragraph marked (modified) contradicts the goal or a check, it wins, and the later one over the earlier.",
    atPath: (path: string) => ` It lies in ${path}.`,
    verdictIntro: "The verdict of an independent judge:",
    feedbackIntro: "An independent judge has looked at the result. It is not accepted yet.",
    feedbackReason: "Why:",
    feedbackFailed: "These checks did not pass:",
    feedbackDemand:
      "Have exactly these fixed, and nothing else. Do not argue with the verdict and do not explain why the result should pass: the judge looks at what is there, not at what is said about it. Where something does hold, make it visible. Before you report again, have each point above checked the way the judge will check it.",
    feedbackDemandOpen:
      "Go through the checklist, find what does not hold or cannot be seen, and have exactly that fixed. Do not argue with the verdict and do not explain why the result should pass: the judge looks at what is there, not at what is said about it.",
    handoffIntro: (step: string) =>
      step === ""
        ? "You take over from a session whose context is full. You have none of its memory."
        : `You take over the step "${step}" from a session whose context is full. You have none of its memory.`,
    handoffRules:
      "What it knew stands below, in its own words. Begin with the next step; do not start again from scratch. Keep to what was decided, and do not try again what led nowhere. The scene may have changed since: look at what is there before you rely on it.",
    handoffDegradedRules:
      "This document was not written by that session; it was put together without it. Find out from the workspace how far the work has come (version control, the workbench's notes, what runs and what does not) before you change anything.",
    degradedDoing: (why: string) =>
      why === ""
        ? "The session before could not write down where it stood."
        : `The session before could not write down where it stood: ${why}`,
    degradedNext:
      "Look at the workspace, its version control and the workbench's notes to see what is done already. Compare that with the task, whose beginning stands below, word for word; then go on with what is missing. Do not redo what is there.",
  },
  {
    briefTitle: "需求",
    handoffTitle: "交接",
    briefIntro: "要做的就是下面这些。人已经确认，并且冻结：照着做，不要另作解释。",
    amendmentsNote:
      "下面是需求冻结之后，人陆续补充的话，按时间先后排列。与上文或更早的补充矛盾时，以后说的为准。",
    goalIntro: "目标，以及判定它的清单。每一条都单独算数，全部成立才算达成。",
    goalModified: "(修改)",
    goalModifiedNote:
      "人修改过目标：标着 (修改) 的段落与目标或某条检查矛盾时，以它为准；有多段时，以后面的为准。",
    atPath: (path) => `文件在 ${path}。`,
    verdictIntro: "独立判定者的判定：",
    feedbackIntro: "独立的判定者看过了成果，这一轮没有通过。",
    feedbackReason: "理由：",
    feedbackFailed: "没有通过的条目：",
    feedbackDemand:
      "只修这些，别的不要动。不要和判定争辩，也不要解释为什么应该算通过：判定者只看实际有什么，不看怎么说。其实已经成立的，就让它看得见。再次汇报之前，上面每一条都先按判定者的查法查过。",
    feedbackDemandOpen:
      "对照判定清单逐条检查，找出不成立的、或者看不到证据的，只修这些。不要和判定争辩，也不要解释为什么应该算通过：判定者只看实际有什么，不看怎么说。",
    handoffIntro: (step) =>
      step === ""
        ? "上一个会话的上下文满了，由你接手。它的记忆你一点也没有。"
        : `步骤「${step}」的上一个会话上下文满了，由你接手。它的记忆你一点也没有。`,
    handoffRules:
      "它知道的都写在下面，是它自己的话。从「下一步」开始干，不要从头再来。已经定了的照办，走不通的不要再试。现场可能已经变了：要依赖什么，先看一眼。",
    handoffDegradedRules:
      "这份文档不是那个会话写的，是在它缺席的情况下拼出来的。动手之前，先从工作区查清楚活干到了哪里：版本管理、工作台的笔记、哪些能跑、哪些不能。",
    degradedDoing: (why) =>
      why === "" ? "上一个会话没能写下自己干到哪里。" : `上一个会话没能写下自己干到哪里：${why}`,
    degradedNext:
      "先看工作区、版本管理和工作台的笔记，弄清哪些已经做完，再对照任务（开头的原文在下面「现场」里），接着做还缺的。已经做好的不要重做。",
  },
);
