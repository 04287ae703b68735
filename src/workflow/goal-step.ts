import { statSync } from "node:fs";
import { systemClock } from "../base/clock.ts";
import { Goal } from "../documents/goal.ts";
import { replaceDocument } from "../documents/replace-document.ts";
import { createEvent } from "../events/event.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { NAMES } from "../lang/names.ts";
import { PROMPTS } from "../lang/prompts.ts";
import { type JudgeOptions, judge } from "../roles/judge.ts";
import { type Context, contextText, GOAL_KEY } from "./context.ts";
import type { DocumentStepOptions, Step } from "./step.ts";

/** What `goalStep` is made of: where things lie, and the judge's own options. */
export interface GoalStepOptions extends JudgeOptions, DocumentStepOptions {
  /** Where the goal is frozen. */
  readonly goalPath: string;
  /** Context key that holds the brief's text. Default: the clarify step's name. */
  readonly briefKey?: string;
  /**
   * Where the brief lies. A brief that was written after the goal leads to a new goal: somebody has amended or edited
   * it, in this run or in one that was killed before the judge had read it. Default: the goal on disk stands.
   */
  readonly briefPath?: string;
  /** Derive the goal again even when one is on disk. Default false. */
  readonly alwaysSet?: boolean;
}

/**
 * Has the judge write the goal and its checklist from the brief, and freezes them; a goal that was there before is
 * kept in the archive. A check that cannot be verified here is told at once: by the time of the verdict a whole round
 * has been paid for.
 */
export function goalStep(channel: HumanChannel, options: GoalStepOptions): Step {
  const lang = options.lang ?? channel.lang;
  const name = options.name ?? NAMES[lang].goalStep;
  const briefKey = options.briefKey ?? NAMES[lang].clarifyStep;
  const pour = (goal: Goal, context: Context): void => {
    context[GOAL_KEY] = goal;
    context[name] = goal.promptBlock();
  };
  return {
    name,
    spec: options.spec ?? judge(NAMES[lang].judgeRole, channel, { ...options, lang }),
    prompt: (context) => PROMPTS[lang].goalPrompt({ brief: contextText(context, briefKey) }),
    retries: options.retries ?? 0,
    onFail: options.onFail ?? "stop",
    when: (context) => {
      if (options.alwaysSet) return true;
      const goal = Goal.load(options.goalPath);
      if (goal === undefined || !goal.complete()) return true;
      if (options.briefPath !== undefined && isNewer(options.briefPath, options.goalPath)) return true;
      pour(goal, context);
      return false;
    },
    gate: (result, context) => {
      const goal = Goal.parse(result.closing).with({ lang });
      if (!goal.complete()) return false;
      replaceDocument(options.goalPath, {
        text: goal.toMarkdown(),
        epochMs: (options.clock ?? systemClock).now(),
      });
      pour(goal, context);
      warnUnverifiable(goal, options.goalPath, context);
      return true;
    },
    reduce: (_result, context) => context[GOAL_KEY]?.promptBlock() ?? "",
  };
}

function warnUnverifiable(goal: Goal, path: string, context: Context): void {
  const unverifiable = goal.unverifiable.length;
  if (unverifiable === 0) return;
  const total = goal.checks.length;
  const text = workflowMessages[goal.lang].goalUnverifiable(unverifiable, total);
  context._on_event?.(createEvent("task", { unverifiable, total, path }, { text }));
}

/** By the files' times, as `make` does it: a document may be edited by hand, with no flower running. */
function isNewer(path: string, than: string): boolean {
  const [one, other] = [path, than].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs);
  return one !== undefined && other !== undefined && one > other;
}
