import { messages } from "../lang.ts";

export const CONFIG_MESSAGES = messages(
  {
    noCredentials: "no credentials: neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set",
    noCredentialsHint:
      "Run `flower setup` to store one, or export one of the two; `flower demo` needs none and shows what flower does.",
    processOrigin: "the process environment",
    credential: (key: string, value: string, from: string) => `${key} = ${value}  (from ${from})`,
    unreadable: (path: string, detail: string) => `left out ${path}: ${detail}`,
    broken: (path: string, detail: string) => `left out ${path}: it cannot be understood (${detail})`,
    endpointFromElsewhere: (path: string, secret: string) =>
      `ANTHROPIC_BASE_URL is from ${path}, but the credential sent there is from ${secret}. Make sure you trust that address.`,
  },
  {
    noCredentials: "没有凭证:ANTHROPIC_API_KEY 和 ANTHROPIC_AUTH_TOKEN 都没有设置",
    noCredentialsHint:
      "运行 `flower setup` 存一份,或者 export 其中一个;`flower demo` 不需要凭证,可以先看看 flower 能做什么。",
    processOrigin: "进程环境变量",
    credential: (key, value, from) => `${key} = ${value}  (来自 ${from})`,
    unreadable: (path, detail) => `跳过 ${path}:${detail}`,
    broken: (path, detail) => `跳过 ${path}:内容无法识别(${detail})`,
    endpointFromElsewhere: (path, secret) =>
      `ANTHROPIC_BASE_URL 来自 ${path},而发往那里的凭证来自 ${secret}。请确认这个地址可信。`,
  },
);
