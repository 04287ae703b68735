import { join } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { tidyLines } from "../documents/tidy.ts";
import { HumanChannel } from "../human/human-channel.ts";
import { LANGS } from "../lang/lang.ts";
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

/** What `starterFlow` is made of; only the workspace must be given. `new` archives what is there and begins anew. */
export interface StarterOptions extends DirectoryOptions {
  /** Where the work happens. */
  readonly workspace: string;
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
  /** File name of the questions and answers, in the notes. Default: by language. */
  readonly logName?: string | undefined;
}

/**
 * The workflow behind `flower "one sentence"`: clarify, set the goal, do the work under the goal guard.
 *
 * A complete brief in the directory makes it a wake: `ask` is then what the human wants changed, and lands in
 * three places at once, since missing one would fail silently: in the brief, in a goal derived anew, and in the
 * coordinator's next prompt. A sentence that the conversation was told before says nothing new: the run goes on.
 * Throws before anything is spent: `workflow/needs-git`, `workflow/needs-ask`, `config/directory-language`.
 */
export function starterFlow(ask: string, options: StarterOptions): Workflow {
  const said = tidyLines(ask);
  const state = begin(said, options);
  const { lang, paths, waking } = state;
  const names = NAMES[lang];
  const channel = new HumanChannel({
    lang,
    maxAsks: options.maxAsks,
    timeoutMs: options.timeoutMs,
    logPath: join(paths.notes, options.logName ?? names.logFile),
    amendPath: paths.brief,
  });
  const workbench = new Workbench(paths.workspace, { home: paths.workbench, lang });
  workbench.refresh();
  const words = newWords(said, state);
  if (waking) for (const text of words) channel.amend(text, { label: names.addedOnWake });
  const parts: Parts = { state, options, channel, workbench, said, words };
  const clarifying = clarifyingStep(parts);
  const steps = options.clarifyOnly ? [clarifying] : [clarifying, ...goalSteps(parts), workStep(parts)];
  return new Workflow(steps, { name: "starter", channel, workbench });
}

/** What the steps of one starter are made from. */
interface Parts {
  readonly state: WakeState;
  readonly options: StarterOptions;
  readonly channel: HumanChannel;
  readonly workbench: Workbench;
  /** The sentence of this run; may be empty. */
  readonly said: string;
  /** What no session was told yet; see `newWords`. */
  readonly words: readonly string[];
}

/**
 * What the human said that the conversation was not told yet: `said`, and on a wake what an earlier run was killed
 * before telling. Such words stand in the brief, which is written first, and not among the lineage's asks, which are
 * written when a session has them.
 */
function newWords(said: string, state: WakeState): readonly string[] {
  const { asks, waking } = state;
  const untold = waking && asks !== undefined ? wakeAmendments(state) : [];
  return [...new Set([...untold, said])].filter((text) => text !== "" && !asks?.includes(text));
}

function wakeAmendments({ brief }: WakeState): readonly string[] {
  return (brief?.amendments ?? [])
    .filter(({ label }) => LANGS.some((lang) => label === NAMES[lang].addedOnWake))
    .map(({ text }) => text);
}

/**
 * Throws what `starterFlow` would throw, and does nothing else. Returns what the directory holds now, in the language
 * that the run will have.
 */
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
  const { runDir, workspace, notes } = before.paths;
  // In each language: a document that stayed behind would be taken for this run's own, or decide its language.
  const documents = LANGS.flatMap((lang) => [
    options.briefName ?? NAMES[lang].briefFile,
    options.goalName ?? NAMES[lang].goalFile,
    options.logName ?? NAMES[lang].logFile,
  ]);
  Lineage.open(runDir, workspace, { lang: before.lang }).archive(join(notes, "archive"), {
    extra: documents.map((name) => join(notes, name)),
  });
  return wakeState(options.workspace, { ...options, lang: before.lang });
}

function clarifyingStep({ state, options, channel, said, words }: Parts): Step {
  const { lang, paths, waking } = state;
  const prompt = PROMPTS[lang].clarifyPrompt({ ask: said });
  const step = clarifyStep(channel, {
    briefPath: paths.brief,
    prompt,
    instructions: options.instructions,
    // One more chance to complete a brief: the questions have been answered and would be lost.
    retries: 1,
  });
  if (waking || words.length === 0) return step;
  // Another sentence than the one whose clarification was broken off: going on without a word would lose it.
  return { ...step, resumePrompt: step.prompt, tells: words };
}

function goalSteps({ state, options, channel, words }: Parts): readonly Step[] {
  if (options.goal === false) return [];
  const { lang, paths, waking } = state;
  return [
    goalStep(channel, {
      lang,
      goalPath: paths.goal,
      briefPath: paths.brief,
      canRun: options.judgeCanRun,
      alwaysSet: waking && words.length > 0,
      retries: 1,
    }),
  ];
}

function workStep({ state, options, channel, workbench, words }: Parts): Step {
  const { lang, paths, waking } = state;
  const names = NAMES[lang];
  const goalOf = (context: Context): string | undefined => context[GOAL_KEY]?.promptBlock();
  const told = waking ? words : [];
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
    resumePrompt: (context) => {
      const derivedNow = context._results?.[names.goalStep] !== undefined;
      const goal = derivedNow || told.length > 0 ? goalOf(context) : undefined;
      return PROMPTS[lang].workResume({ ask: told.join("\n\n"), goal });
    },
    // Also what earlier runs appended: from here on account is kept, of a directory of the original as well.
    tells: waking ? [...new Set([...wakeAmendments(state), ...words])] : [],
  };
  if (options.goal === false) return step;
  return withGoal(step, channel, {
    lang,
    goalPath: paths.goal,
    rounds: options.rounds,
    canRun: options.judgeCanRun,
  });
}

function workerOf({ lang }: WakeState, options: StarterOptions): ReturnType<typeof worker> {
  const brief = WORKER_BRIEFS[lang];
  return worker(brief.description, options.workerPrompt ?? brief.prompt, {
    lang,
    isolate: options.isolate ?? false,
  });
}
