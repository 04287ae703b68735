import { messages } from "../lang.ts";

/** What is wrong with what a runtime, or one of its steps, was given. Said before anything is spent. */
export const runtimeInputMessages = messages(
  {
    needsResume: (option: string) =>
      `"${option}" was given without "resume", so there is no session to go back to or to branch off from`,
    needsResumeHint: "Name the session to resume, or leave the option out.",
    copyCannotResume: '"cwd" was given with "resume", but a session goes on only where it began',
    copyCannotResumeHint: "Leave one of the two out.",
    unknownMessage: (session: string, uuid: string) =>
      `session ${session} holds no message "${uuid}" (resumeAt)`,
    unknownMessageHint: "Give the uuid of one of its messages, as events and sessions.db have it.",
    notWhole: (field: string, value: string, least: number) =>
      `${field} is ${value}, not a whole number of at least ${least}`,
    notDollars: (field: string, value: string) =>
      `${field} is ${value}, not an amount of US dollars above zero`,
    limitHint: "Correct it, or leave it out to get the default.",
    windowHint: "Give the model's context window in tokens, for example 200000, or leave it out.",
    badBaseUrl: (from: string) => `ANTHROPIC_BASE_URL (from ${from}) is not an http or https address`,
    badBaseUrlHint: "Write it with its scheme and without /v1, for example https://api.anthropic.com.",
    secretInBaseUrl: (from: string) =>
      `ANTHROPIC_BASE_URL (from ${from}) holds a user name or a password, which is never sent from there`,
    secretInBaseUrlHint:
      "Take them out of the address; what the endpoint wants to see goes into ANTHROPIC_AUTH_TOKEN or ANTHROPIC_CUSTOM_HEADERS.",
  },
  {
    needsResume: (option) => `给了「${option}」却没有给「resume」,没有可以退回或分叉的会话`,
    needsResumeHint: "指明接哪个会话,或者去掉这个选项。",
    copyCannotResume: "「cwd」和「resume」不能同时给:会话只能在它开始的目录里接着做",
    copyCannotResumeHint: "两个里去掉一个。",
    unknownMessage: (session, uuid) => `会话 ${session} 里没有消息「${uuid}」(resumeAt)`,
    unknownMessageHint: "给出其中一条消息的 uuid,事件和 sessions.db 里都有。",
    notWhole: (field, value, least) => `${field} 是 ${value},应为不小于 ${least} 的整数`,
    notDollars: (field, value) => `${field} 是 ${value},应为大于零的美元数`,
    limitHint: "改正它,或者不写,用默认值。",
    windowHint: "写模型的上下文窗口,单位 token,例如 200000;或者不写。",
    badBaseUrl: (from) => `ANTHROPIC_BASE_URL(来自 ${from})不是 http 或 https 地址`,
    badBaseUrlHint: "要带协议、不带 /v1,例如 https://api.anthropic.com。",
    secretInBaseUrl: (from) => `ANTHROPIC_BASE_URL(来自 ${from})里写了用户名或密码,写在那里不会被发送`,
    secretInBaseUrlHint:
      "把它们从地址里去掉;端点要看的凭证放进 ANTHROPIC_AUTH_TOKEN 或 ANTHROPIC_CUSTOM_HEADERS。",
  },
);
