import { messages } from "../lang.ts";

export const CONFIG_MESSAGES = messages(
  {
    noCredentials: "no credentials: neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set",
    noCredentialsHint:
      "Export one of the two or put it into a .env file; `flower demo` needs none and shows what flower does.",
    processOrigin: "the process environment",
    credential: (key: string, value: string, from: string) => `${key} = ${value}  (from ${from})`,
    unreadable: (path: string, detail: string) => `left out ${path}: ${detail}`,
    broken: (path: string, detail: string) => `left out ${path}: it cannot be understood (${detail})`,
    endpointFromElsewhere: (path: string, secret: string) =>
      `ANTHROPIC_BASE_URL is from ${path}, but the credential sent there is from ${secret}. Make sure you trust that address.`,
    unknownLanguage: (given: string) => `FLOWER_LANG is ${JSON.stringify(given)}`,
    unknownLanguageHint: "Set it to zh or en, or unset it.",
    directoryLanguage: (asked: string) => `this directory is in English, and ${asked} was asked for`,
    directoryLanguageHint: "Leave --lang out, or archive what is here and begin anew with --new.",
    noEnvFile: (path: string) => `the environment file ${path} does not exist`,
    noEnvFileHint: "Correct or unset FLOWER_ENV, or create the file.",
    badWindow: (given: string) => `FLOWER_WINDOW is ${JSON.stringify(given)}, not a number of tokens`,
    badWindowHint: "Set it to a whole number such as 200000, or unset it.",
    impossibleWindow: (tokens: number) => `a context window of ${tokens} tokens cannot be`,
    windowsTooNew: (version: number, known: number) =>
      `windows.json has version ${version}, we know ${known}`,
    windowsTooNewHint: "Use the newer flower that wrote it, or move the file away.",
  },
  {
    noCredentials: "没有凭证:ANTHROPIC_API_KEY 和 ANTHROPIC_AUTH_TOKEN 都没有设置",
    noCredentialsHint:
      "请 export 其中一个,或者写进 .env 文件;`flower demo` 不需要凭证,可以先看看 flower 能做什么。",
    processOrigin: "进程环境变量",
    credential: (key, value, from) => `${key} = ${value}  (来自 ${from})`,
    unreadable: (path, detail) => `跳过 ${path}:${detail}`,
    broken: (path, detail) => `跳过 ${path}:内容无法识别(${detail})`,
    endpointFromElsewhere: (path, secret) =>
      `ANTHROPIC_BASE_URL 来自 ${path},而发往那里的凭证来自 ${secret}。请确认这个地址可信。`,
    unknownLanguage: (given) => `FLOWER_LANG 是 ${JSON.stringify(given)}`,
    unknownLanguageHint: "请设成 zh 或 en,或者不设。",
    directoryLanguage: (asked) => `这个目录用的是中文,而你要的是 ${asked}`,
    directoryLanguageHint: "去掉 --lang;或者加 --new,把这里的归档,从头开始。",
    noEnvFile: (path) => `环境文件 ${path} 不存在`,
    noEnvFileHint: "请改正或取消 FLOWER_ENV,或者把文件建好。",
    badWindow: (given) => `FLOWER_WINDOW 是 ${JSON.stringify(given)},不是 token 数`,
    badWindowHint: "请设成整数,例如 200000,或者不设。",
    impossibleWindow: (tokens) => `上下文窗口不可能是 ${tokens} 个 token`,
    windowsTooNew: (version, known) => `windows.json 的版本是 ${version},这里只认识 ${known}`,
    windowsTooNewHint: "请用写下它的那个新版 flower,或者把文件移走。",
  },
);
