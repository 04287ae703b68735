import { messages } from "../lang.ts";

/** What is told of the context window that is planned with. */
export const WINDOW_MESSAGES = messages(
  {
    window: (tokens: number, from: string) => `context window = ${tokens} tokens  (from ${from})`,
    given: "--window or the caller",
    learnt: (path: string) => `an overflow of an earlier run, kept in ${path}`,
    byName: (model: string) =>
      model === "" ? "the default, as no model is named" : `the name of the model, ${model}`,
    nowLearnt: (tokens: number, model: string, planned: number) =>
      `the API takes at most ${tokens} tokens of ${model || "the CLI's own model"}, not ${planned}; ` +
      "this run and later ones plan with that",
    notKept: (why: string) =>
      `what was learnt about the context window could not be kept for later runs: ${why}`,
  },
  {
    window: (tokens, from) => `上下文窗口 = ${tokens} token  (来自 ${from})`,
    given: "--window 或调用方",
    learnt: (path) => `之前某次溢出时记下的,见 ${path}`,
    byName: (model) => (model === "" ? "默认值,没有指定模型" : `模型名 ${model}`),
    nowLearnt: (tokens, model, planned) =>
      `${model || "CLI 默认的模型"} 最多只收 ${tokens} token,不是 ${planned};这次和以后都按这个数安排`,
    notKept: (why) => `上下文窗口的实际大小没能记下来留给以后用:${why}`,
  },
);
