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
    if (ms >= 7_200_000) return `at most ${Math.round(ms / 3_600_000)} h`;
    return ms < 60_000 ? `at most ${Math.round(ms / 1000)} s` : `at most ${Math.round(ms / 60_000)} min`;
  },
  zh: (ms) => {
    if (!Number.isFinite(ms)) return "不限时";
    if (ms >= 7_200_000) return `最多 ${Math.round(ms / 3_600_000)} 小时`;
    return ms < 60_000 ? `最多 ${Math.round(ms / 1000)} 秒` : `最多 ${Math.round(ms / 60_000)} 分钟`;
  },
};

export const RESILIENCE_MESSAGES = messages(
  {
    badPolicy: (name: string, value: number, least: number) =>
      `resilience.${name} is ${value}; it must be at least ${least}`,
    badPolicyHint: "Correct the policy given to Runtime, or leave it out for the default.",
    lost: (target: string, maxWaitMs: number) =>
      `${target} cannot be reached, waiting for it (${upTo.en(maxWaitMs)})`,
    online: (target: string) => `${target} is back, going on`,
    limited: (error: string, when: string) => `${error}: waiting until ${when}, when the limit is lifted`,
    limitTooLong: (error: string, when: string, maxWaitMs: number) =>
      `${error}: the limit is lifted at ${when}, which is further away than flower waits (${upTo.en(maxWaitMs)})`,
  },
  {
    badPolicy: (name, value, least) => `resilience.${name} 是 ${value},至少要是 ${least}`,
    badPolicyHint: "请修正传给 Runtime 的策略,或者不写,用默认值。",
    lost: (target, maxWaitMs) => `${target} 不可达,等待恢复(${upTo.zh(maxWaitMs)})`,
    online: (target) => `${target} 恢复,继续`,
    limited: (error, when) => `${error}:额度 ${when} 恢复,等到那时再继续`,
    limitTooLong: (error, when, maxWaitMs) =>
      `${error}:额度要到 ${when} 才恢复,超过了等待上限(${upTo.zh(maxWaitMs)})`,
  },
);
