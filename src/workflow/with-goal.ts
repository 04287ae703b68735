import type { AgentSpec } from "../agent/spec.ts";
import { joinParagraphs } from "../base/text.ts";
import { Goal } from "../documents/goal.ts";
import type { Verdict } from "../documents/verdict.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import { NAMES } from "../lang/names.ts";
import { PROMPTS } from "../lang/prompts.ts";
import { type JudgeOptions, judge } from "../roles/judge.ts";
import { type Context, GOAL_KEY, ROUND_KEY, VERDICT_KEY } from "./context.ts";
import { type Bench, rule } from "./ruling.ts";
import { type Step, StepAbort } from "./step.ts";

/** What `withGoal` is made of: where the goal lies, and the judge's own options. */
export interface WithGoalOptions extends JudgeOptions {
  /** Where the goal lies; read when the context has none. */
  readonly goalPath: string;
  /** Instead of the judge that is built from the other options. */
  readonly spec?: AgentSpec;
  /** Rounds of work in all. Default 3. */
  readonly rounds?: number | undefined;
  /** Label of the judge's rows in the manifest. Default: the step's name and "·verdict". */
  readonly name?: string;
}

/**
 * Puts a goal guard around a step: after each round a judge in a session of its own rules, and what is not
 * achieved goes back into the session that did it. Nothing passes unjudged: no runtime, no readable verdict and
 * no answer from the human all mean that it does not pass.
 */
export function withGoal(step: Step, channel: HumanChannel, options: WithGoalOptions): Step {
  const lang = options.lang ?? channel.lang;
  const guard: Guard = {
    channel,
    lang,
    goalPath: options.goalPath,
    label: options.name ?? `${step.name}${NAMES[lang].verdictSuffix}`,
    spec: options.spec ?? judge(NAMES[lang].judgeRole, channel, { ...options, lang }),
  };
  return {
    ...step,
    retries: Math.max(0, (options.rounds ?? 3) - 1),
    gate: (_result, context) => judgeRound(guard, context),
    onReject: (_result, context) => joinParagraphs(context[VERDICT_KEY]?.feedback(), context._decision),
  };
}

interface Guard extends Bench {
  readonly channel: HumanChannel;
  readonly goalPath: string;
}

async function judgeRound(guard: Guard, context: Context): Promise<boolean> {
  const runtime = context._runtime;
  if (runtime === undefined) throw new StepAbort(PROMPTS[guard.lang].abortNoRuntime);
  const round = (context[ROUND_KEY] ?? 0) + 1;
  context[ROUND_KEY] = round;
  delete context._decision;
  const goal = currentGoal(guard, context);
  const verdict = await rule(guard, context, { runtime, round, goal });
  context[VERDICT_KEY] = verdict;
  if (verdict.achieved) return true;
  if (!verdict.unreachable) return false;
  return askHuman(guard, context, verdict, goal);
}

/** A goal that was amended, or frozen by this run, before the one on disk; none at all is an empty one. */
function currentGoal(guard: Guard, context: Context): Goal {
  const held = context[GOAL_KEY];
  if (held?.complete()) return held;
  return Goal.load(guard.goalPath) ?? new Goal({ lang: guard.lang });
}

async function askHuman(guard: Guard, context: Context, verdict: Verdict, goal: Goal): Promise<boolean> {
  const prompts = PROMPTS[guard.lang];
  const choices = prompts.unreachableOptions;
  const ask = async (question: string, options: readonly string[]): Promise<string> => {
    const asked = await guard.channel.ask(question, options, { signal: context._signal });
    if (asked.state === "answered") return asked.answer ?? "";
    // Nobody is there: going round again is the dearest thing that could be done.
    throw new StepAbort(prompts.abortUnreachable({ reason: verdict.reason }));
  };
  const answer = await ask(prompts.unreachableQuestion({ reason: verdict.reason, failed: verdict.failed }), [
    choices.accept,
    choices.amend,
    choices.wrong,
  ]);
  if (answer === choices.accept) return true;
  // The verdict stays the judge's own: what the human says to it is told beside it, in the human's words.
  if (answer !== choices.amend) {
    context._decision = prompts.humanDecided({ words: answer });
    return false;
  }
  const words = await ask(prompts.amendGoalQuestion, []);
  const amended = goal.amend(words);
  amended.write(guard.goalPath);
  context[GOAL_KEY] = amended;
  context._decision = prompts.humanDecided({ words, goal: amended.promptBlock() });
  return false;
}
