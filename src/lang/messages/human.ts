import { messages } from "../lang.ts";

export const HUMAN_MESSAGES = messages(
  {
    /** The channel's tools, as the model sees them. */
    askDescription: [
      "Ask the human one question and wait for the answer. It blocks, possibly for a long time, and questions are few:",
      "ask only at a real fork, where the answer changes what you do and you cannot find it out yourself.",
      "One thing per question, understandable without the conversation. Offer options where there are any.",
    ].join(" "),
    askQuestion: "The question, with what the human must know to answer it.",
    askOptions:
      "Two to four possible answers, the one you recommend first. The human may answer freely all the same.",
    inboxDescription: [
      "Read what the human said since you last looked. Does not block. Look after every milestone;",
      "what stands there was said to you and changes the task.",
    ].join(" "),

    answered: (answer: string) => `The human answers:\n${answer}`,
    questionsLeft: (remaining: number) => `(Questions left: ${remaining})`,
    timeout:
      "Nobody answered in time. Do not wait: decide this yourself in the most sensible way, and record what you assumed under Unknowns and assumptions.",
    declined:
      "The human skipped this question and leaves it to you. Decide it yourself, and record what you assumed under Unknowns and assumptions.",
    overBudget:
      "There are no questions left. Decide this yourself in the most sensible way, and record what you assumed under Unknowns and assumptions. Do not ask again.",
    invalid: "The question was empty, so nobody was asked. Call again with the question itself.",

    inboxEmpty: "Nothing new.",
    inboxMail: (texts: readonly string[]) =>
      texts.length === 1
        ? `The human says:\n${texts[0]}`
        : ["The human says, oldest first:", ...texts.map((text, index) => `${index + 1}. ${text}`)].join(
            "\n",
          ),

    logTitle: "Questions and answers",
    logAsked: (id: string, at: string) => `Question ${id} · ${at}`,
    logEnded: (id: string, at: string, state: string, waitedS: number) =>
      `Question ${id}: ${state} · ${at} · after ${Math.round(waitedS)} s`,
    logMail: (id: string, at: string) => `Said without being asked ${id} · ${at}`,
    states: {
      answered: "answered",
      timeout: "no answer",
      declined: "skipped",
      over_budget: "no questions left",
      invalid: "empty question",
    },
  },
  {
    askDescription: [
      "向人提一个问题并等待回答。调用会阻塞,可能等很久,提问次数也有限:",
      "只在真正的岔路口提问,也就是答案会改变你的做法、而你自己又查不到的时候。",
      "一次只问一件事,问题要脱离上下文也能看懂;有可选方案就列成选项。",
    ].join(""),
    askQuestion: "问题本身,连同人作答所需要的背景。",
    askOptions: "两到四个备选答案,推荐的放最前。人仍然可以自由作答。",
    inboxDescription:
      "读取上次查看之后人主动说的话,不阻塞。每到一个里程碑就看一眼;里面的话是对你说的,会改变任务。",

    answered: (answer) => `人的回答:\n${answer}`,
    questionsLeft: (remaining) => `(还可以提问 ${remaining} 次)`,
    timeout: "没有人在时限内回答。不要干等:按最合理的方式自己决定,并把所作的假设记入“未知与假设”。",
    declined: "人跳过了这个问题,交给你定。自己决定,并把所作的假设记入“未知与假设”。",
    overBudget: "提问次数已经用完。按最合理的方式自己决定,并把所作的假设记入“未知与假设”。不要再问。",
    invalid: "问题是空的,没有问出去。请写明要问什么再调用一次。",

    inboxEmpty: "没有新消息。",
    inboxMail: (texts) =>
      texts.length === 1
        ? `人说:\n${texts[0]}`
        : ["人说(从早到晚):", ...texts.map((text, index) => `${index + 1}. ${text}`)].join("\n"),

    logTitle: "问答记录",
    logAsked: (id, at) => `提问 ${id} · ${at}`,
    logEnded: (id, at, state, waitedS) => `提问 ${id}:${state} · ${at} · 用时 ${Math.round(waitedS)} 秒`,
    logMail: (id, at) => `主动留言 ${id} · ${at}`,
    states: {
      answered: "已回答",
      timeout: "无人回答",
      declined: "已跳过",
      over_budget: "次数用完",
      invalid: "空问题",
    },
  },
);
