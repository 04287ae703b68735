import { messages, type PerLang } from "../lang.ts";

/** What a session is told when it goes on after an interruption from outside. Never names the error. */
export const DEFAULT_RESUME_PROMPT: PerLang<string> = {
  en: [
    "You were interrupted by something outside your work; it is over and has nothing to do with you.",
    "Do not start over, and do not talk about the interruption. First look at the present state: what is already done,",
    "and whether the last action took effect. Then go on from there.",
  ].join("\n"),
  zh: [
    "刚才的工作被外部原因打断了,现在已经恢复,和你做的事没有关系。",
    "不要从头再来,也不用讨论这次中断。先看一眼现状:哪些已经做完,最后那个动作有没有生效;然后从断开的地方接着做。",
  ].join("\n"),
};

const upTo: PerLang<(ms: number) => string> = {
  en: (ms) => {
    if (!Number.isFinite(ms)) return "without limit";
    return ms < 60_000 ? `at most ${Math.round(ms / 1000)} s` : `at most ${Math.round(ms / 60_000)} min`;
  },
  zh: (ms) => {
    if (!Number.isFinite(ms)) return "不限时";
    return ms < 60_000 ? `最多 ${Math.round(ms / 1000)} 秒` : `最多 ${Math.round(ms / 60_000)} 分钟`;
  },
};

export const RESILIENCE_MESSAGES = messages(
  {
    lost: (target: string, maxWaitMs: number) =>
      `${target} cannot be reached, waiting for it (${upTo.en(maxWaitMs)})`,
    online: (target: string) => `${target} is back, going on`,
  },
  {
    lost: (target, maxWaitMs) => `${target} 不可达,等待恢复(${upTo.zh(maxWaitMs)})`,
    online: (target) => `${target} 恢复,继续`,
  },
);
