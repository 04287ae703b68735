import type { PerLang } from "../lang.ts";

/** How the starter's one worker is described to the coordinator, and what it is told about its craft. */
export const WORKER_BRIEFS: PerLang<{ readonly description: string; readonly prompt: string }> = {
  en: {
    description:
      "Implements: reads and writes code, runs commands and tests, and reports what it has seen work.",
    prompt: "You implement. Verify after every change by running it; do not save that up for the end.",
  },
  zh: {
    description: "负责实现:读写代码、运行命令和测试,汇报亲眼看到能用的结果。",
    prompt: "你负责实现。每改一处就跑一次验证,别攒到最后。",
  },
};
