import type { PerLang } from "./lang.ts";

/** What things are called on disk and in the books; keys that must stay stable across processes (SPEC 3). */
export interface Names {
  readonly clarifyStep: string;
  readonly goalStep: string;
  readonly workStep: string;
  readonly oracleStep: string;
  /** The judge's rows in the manifest: `work·verdict`, numbered by the caller. */
  readonly verdictSuffix: string;
  readonly briefFile: string;
  readonly goalFile: string;
  readonly logFile: string;
  /** File name of a step's handoff document. */
  readonly handoffFile: (step: string) => string;
  /** Directory below `archive/` for retired handoff documents. */
  readonly handoffArchive: string;
  readonly coordinatorRole: string;
  readonly workerRole: string;
  readonly clarifierRole: string;
  readonly judgeRole: string;
  readonly oracleRole: string;
  readonly addedDuringRun: string;
  readonly addedOnWake: string;
}

/** A step name as part of a file name: no separators, no leading dot. */
export function fileSafe(step: string): string {
  return step.replaceAll(/[/\\:\p{Cc}]/gu, "_").replace(/^\.+/, "_");
}

export const NAMES: PerLang<Names> = {
  zh: {
    clarifyStep: "确认需求",
    goalStep: "设定目标",
    workStep: "干活",
    oracleStep: "旁路问答",
    verdictSuffix: "·判定",
    briefFile: "需求.md",
    goalFile: "目标.md",
    logFile: "问答记录.md",
    handoffFile: (step) => `交接-${fileSafe(step)}.md`,
    handoffArchive: "交接",
    coordinatorRole: "协调者",
    workerRole: "coder",
    clarifierRole: "需求确认",
    judgeRole: "判定者",
    oracleRole: "旁路问答",
    addedDuringRun: "运行中补充",
    addedOnWake: "唤醒时追加",
  },
  en: {
    clarifyStep: "clarify",
    goalStep: "goal",
    workStep: "work",
    oracleStep: "oracle",
    verdictSuffix: "·verdict",
    briefFile: "brief.md",
    goalFile: "goal.md",
    logFile: "qa.md",
    handoffFile: (step) => `handoff-${fileSafe(step)}.md`,
    handoffArchive: "handoff",
    coordinatorRole: "coordinator",
    workerRole: "coder",
    clarifierRole: "clarifier",
    judgeRole: "judge",
    oracleRole: "oracle",
    addedDuringRun: "added during the run",
    addedOnWake: "added on wake",
  },
};
