import type { Lang, PerLang } from "./lang.ts";

/**
 * Asks the session that is full to write the document with which a fresh session takes over. Only that session
 * knows; no other role could write it. Two holes, in tokens: `{used}` and `{window}`.
 */
export const HANDOFF_PROMPT: PerLang<string> = {
  en: `
Your context is nearly full: {used} of {window} tokens. Stop working now. A new session takes over your place; it has your role and your tools, but knows nothing of what happened here. All that it will ever learn is the document you write now.

Your whole reply is this document, exactly five sections under exactly these headings. No tool calls, no word before or after, no code fence around it.

## Doing now
The task as you were given it: what is to be reached, by what it is judged, what is not to be touched, and in which files that stands. Then how far it is: what is done and verified, what is half done, which workers are still out and on what.

## Decided
Each decision that binds whoever goes on, with its reason, and what the human has said. Without the reason it will be reopened.

## Dead ends
What was tried and did not work, and how that showed, so that nobody walks there again. If there was nothing, write (empty); invent nothing.

## Next step
The one thing to do first, concrete enough to begin at once without asking or searching: which file, which command, which worker with which task, and how one sees that it worked. Then what follows.

## Scene
Where things stand on the machine: absolute paths of the files that matter and what each is for, branches and uncommitted changes, what is running, how to build and test, artifacts and notes worth reading.

Name paths, do not paste: no file contents, no logs, no diffs; what stands in a code fence is thrown away when this is read. Write what the successor cannot see in the workspace by itself. What you did not verify, call unverified.
`.trim(),
  zh: `
你的上下文快满了：窗口 {window} token，已经用了 {used}。现在停下手里的活。接替你的是一个新会话，角色和工具跟你一样，但这里发生过的事它一概不知道。它能知道的，只有你现在写的这份文档。

你的整个回复就是这份文档，不多不少五节，标题一字不差。不要调用工具，前后不要加话，外面不要套代码围栏。

## 现在在做
交给你的任务：要做到什么、按什么判定、什么不能碰，这些写在哪些文件里。然后写做到了哪一步：哪些做完并且验证过，哪些做了一半，哪些 worker 还在外面、各自在干什么。

## 已定的事
接手的人必须照办的决定，一条一条写，带上理由；人说过的话也写上。没有理由的决定，会被重新翻出来争一遍。

## 走不通的
试过而行不通的路，以及从什么看出行不通，免得后来的人再走一遍。没有就写 (空)，不要编。

## 下一步
第一件要做的事，具体到不用问、不用找就能动手：哪个文件，哪条命令，派哪个 worker 做什么，怎样算成了。再写之后的几步。

## 现场
机器上现在的样子：要紧文件的绝对路径，各自是干什么的；分支和没提交的改动；正在运行的东西；怎么构建、怎么测试；值得一读的产物和笔记。

写路径，不要贴内容：不贴文件、不贴日志、不贴 diff；代码围栏里的东西，读的时候会整段丢掉。写接手的人自己在工作区里看不出来的东西。没验证过的，写明没验证。
`.trim(),
};

/** The prompt with its holes filled. `used` and `window` are tokens. */
export function handoffPrompt(
  lang: Lang,
  tokens: { readonly used: number; readonly window: number },
): string {
  return HANDOFF_PROMPT[lang]
    .replaceAll("{used}", inThousands(tokens.used))
    .replaceAll("{window}", inThousands(tokens.window));
}

/** `171400` -> `171,400`. */
function inThousands(tokens: number): string {
  return Math.round(tokens).toLocaleString("en-US");
}
