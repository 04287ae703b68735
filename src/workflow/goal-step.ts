import type { AgentSpec } from "../agent/spec.ts";
import { Goal } from "../documents/goal.ts";
import { createEvent } from "../events/event.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { NAMES } from "../lang/names.ts";
import { PROMPTS } from "../lang/prompts.ts";
import { type JudgeOptions, judge } from "../roles/judge.ts";
import { type Context, contextText, GOAL_KEY } from "./context.ts";
import type { Step } from "./step.ts";

export interface GoalStepOptions extends JudgeOptions {
  /** Where the goal is frozen. */
  readonly goalPath: string;
  /** Context key that holds the brief's text. Default: the clarify step's name. */
  readonly briefKey?: string;
  readonly name?: string;
  /** Instead of the judge that is built from the other options. */
  readonly spec?: AgentSpec;
  /** Derive the goal again even when one is on disk: the brief has changed. Default false. */
  readonly alwaysSet?: boolean;
  readonly onFail?: Step["onFail"];
  readonly retries?: number;
}

/**
 * Has the judge write the goal and its checklist from the brief, and freezes them. A check that cannot be
 * verified here is told at once: by the time of the verdict a whole round has been paid for.
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
      pour(goal, context);
      return false;
    },
    gate: (result, context) => {
      const goal = Goal.parse(result.closing).with({ lang });
      if (!goal.complete()) return false;
      goal.write(options.goalPath);
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
