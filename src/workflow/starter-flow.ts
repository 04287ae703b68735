import { join } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { HumanChannel } from "../human/human-channel.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { NAMES } from "../lang/names.ts";
import { PROMPTS } from "../lang/prompts.ts";
import { WORKER_BRIEFS } from "../lang/rules/worker-briefs.ts";
import { coordinator } from "../roles/coordinator.ts";
import { worker } from "../roles/worker.ts";
import { Workbench } from "../workbench/workbench.ts";
import { clarifyStep } from "./clarify-step.ts";
import { type Context, contextText, GOAL_KEY } from "./context.ts";
import { isGitRepository } from "./git-repository.ts";
import { goalStep } from "./goal-step.ts";
import { Lineage } from "./lineage.ts";
import type { Step } from "./step.ts";
import { type DirectoryOptions, type WakeState, wakeState } from "./wake-state.ts";
import { withGoal } from "./with-goal.ts";
import { Workflow } from "./workflow.ts";

export interface StarterOptions extends DirectoryOptions {
  readonly workspace: string;
  /** Archive what is there and begin anew. Default false. */
  readonly new?: boolean | undefined;
  /** Stop when the brief is frozen. Default false. */
  readonly clarifyOnly?: boolean | undefined;
  /** Set a goal and guard the work with it. Default true. */
  readonly goal?: boolean | undefined;
  /** Rounds of work in all. Default 3. */
  readonly rounds?: number | undefined;
  /** The judge may run commands. Default false. */
  readonly judgeCanRun?: boolean | undefined;
  /** Questions in all; null = no limit, 0 = none. Default null. */
  readonly maxAsks?: number | null | undefined;
  /** How long a question waits for its answer; null = for ever. Default 30 minutes. */
  readonly timeoutMs?: number | null | undefined;
  /** Added to the clarifier's rules. */
  readonly instructions?: string | undefined;
  /** What the worker is told about its craft. */
  readonly workerPrompt?: string | undefined;
  readonly logName?: string | undefined;
}

/**
 * The workflow behind `flower "one sentence"`: clarify, set the goal, do the work under the goal guard.
 *
 * A complete brief in the directory makes it a wake: `ask` is then what the human wants changed, and lands in
 * three places at once, since missing one would fail silently: in the brief, in a goal derived anew, and in the
 * coordinator's next prompt. Throws before anything is spent: `workflow/needs-git`, `workflow/needs-ask`.
 */
export function starterFlow(ask: string, options: StarterOptions): Workflow {
  const said = ask.trim();
  const state = begin(said, options);
  const { lang, paths, waking } = state;
  const names = NAMES[lang];
  const channel = new HumanChannel({
    lang,
    maxAsks: options.maxAsks ?? null,
    timeoutMs: options.timeoutMs === undefined ? 1_800_000 : options.timeoutMs,
    logPath: join(paths.notes, options.logName ?? names.logFile),
    amendPath: paths.brief,
  });
  const workbench = new Workbench(paths.workspace, { home: paths.workbench, lang });
  workbench.refresh();
  if (waking && said !== "") channel.amend(said, { label: names.addedOnWake });
  const clarifying = clarifyStep(channel, {
    briefPath: paths.brief,
    prompt: PROMPTS[lang].clarifyPrompt({ ask: said }),
    instructions: options.instructions,
    // One more chance to complete a brief: the questions have been answered and would be lost.
    retries: 1,
  });
  const steps = options.clarifyOnly
    ? [clarifying]
    : [
        clarifying,
        ...goalSteps(state, channel, options, said),
        workStep(state, channel, workbench, options, said),
      ];
  return new Workflow(steps, { name: "starter", channel, workbench });
}

/** Throws what `starterFlow` would throw, and does nothing else; returns what the directory holds now. */
export function assertStartable(ask: string, options: StarterOptions): WakeState {
  const before = wakeState(options.workspace, options);
  const say = workflowMessages[before.lang];
  if (options.isolate && !isGitRepository(options.workspace)) {
    throw new FlowerError("workflow/needs-git", say.needsGit(before.paths.workspace), {
      hint: say.needsGitHint,
    });
  }
  if (ask.trim() === "" && (options.new || !before.waking)) {
    throw new FlowerError("workflow/needs-ask", say.needsAsk, { hint: say.needsAskHint });
  }
  return before;
}

function begin(said: string, options: StarterOptions): WakeState {
  const before = assertStartable(said, options);
  if (!options.new) return before;
  const { runDir, workspace, notes, brief, goal } = before.paths;
  const log = join(notes, options.logName ?? NAMES[before.lang].logFile);
  Lineage.open(runDir, workspace, { lang: before.lang }).archive(join(notes, "archive"), {
    extra: [brief, goal, log],
  });
  return wakeState(options.workspace, { ...options, lang: options.lang ?? before.lang });
}

function goalSteps(state: WakeState, channel: HumanChannel, options: StarterOptions, said: string): Step[] {
  if (options.goal === false) return [];
  const { lang, paths, waking } = state;
  return [
    goalStep(channel, {
      lang,
      goalPath: paths.goal,
      canRun: options.judgeCanRun ?? false,
      alwaysSet: waking && said !== "",
      retries: 1,
    }),
  ];
}

function workStep(
  state: WakeState,
  channel: HumanChannel,
  workbench: Workbench,
  options: StarterOptions,
  said: string,
): Step {
  const { lang, paths, waking } = state;
  const names = NAMES[lang];
  const goalOf = (context: Context): string | undefined => context[GOAL_KEY]?.promptBlock();
  const step: Step = {
    name: names.workStep,
    spec: coordinator(
      names.coordinatorRole,
      "",
      { [names.workerRole]: workerOf(state, options) },
      { channel, lang },
    ),
    prompt: (context) =>
      PROMPTS[lang].workPrompt({
        brief: contextText(context, names.clarifyStep),
        goal: goalOf(context),
        workbench: workbench.root,
      }),
    resumePrompt: (context) =>
      PROMPTS[lang].workResume(waking && said !== "" ? { ask: said, goal: goalOf(context) } : {}),
  };
  if (options.goal === false) return step;
  return withGoal(step, channel, {
    lang,
    goalPath: paths.goal,
    rounds: options.rounds ?? 3,
    canRun: options.judgeCanRun ?? false,
  });
}

function workerOf({ lang }: WakeState, options: StarterOptions): ReturnType<typeof worker> {
  const brief = WORKER_BRIEFS[lang];
  return worker(brief.description, options.workerPrompt ?? brief.prompt, {
    lang,
    isolate: options.isolate ?? false,
  });
}
