import { describeCredentials } from "../../config/credentials.ts";
import { describeWindow } from "../../config/window.ts";
import { Goal } from "../../documents/goal.ts";
import { tidyLines } from "../../documents/tidy.ts";
import type { HumanChannel } from "../../human/human-channel.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { NAMES } from "../../lang/names.ts";
import type { HandoffPolicy } from "../../runtime/handoff-policy.ts";
import { Runtime } from "../../runtime/runtime.ts";
import type { RuntimeOptions } from "../../runtime/runtime-options.ts";
import { Workbench } from "../../workbench/workbench.ts";
import { claimSteps } from "../../workflow/claim.ts";
import { assertStartable, type StarterOptions, starterFlow } from "../../workflow/starter-flow.ts";
import type { WakeState } from "../../workflow/wake-state.ts";
import { type ForceFlag, type GlobalFlags, type SpendFlags, spendOptions } from "../options.ts";
import { renderNote, renderOptionsFor } from "../render.ts";
import { type FlowEnd, runFlow } from "../run-flow.ts";
import { shownPath } from "../shown-path.ts";
import { printLine, readPiped, type Terminal } from "../terminal.ts";

export interface GoFlags extends GlobalFlags, ForceFlag, SpendFlags {
  readonly rounds?: number;
  /** Negative: no limit. */
  readonly asks?: number;
  /** False with `--no-goal`. */
  readonly goal: boolean;
  readonly judgeCanRun?: boolean;
  /** Seconds; null: for ever. */
  readonly timeout?: number | null;
  readonly clarifyOnly?: boolean;
  readonly new?: boolean;
  readonly isolate?: boolean;
  readonly window?: number;
  /** False with `--no-handoff`. */
  readonly handoff: boolean;
  /** False with `--no-trim`. */
  readonly trim: boolean;
}

/** `flower "one sentence"`: the starter's workflow, in this directory, in front of this terminal. */
export async function go(ask: string | undefined, flags: GoFlags, terminal: Terminal): Promise<number> {
  const said = ask ?? (await readPiped(terminal));
  const { exitCode } = await runStarter({
    said,
    starter: starterOptions(flags),
    runtime: runtimeOptions(flags),
    flags,
    terminal,
  });
  return exitCode;
}

/**
 * Builds and runs the starter's workflow; what `go` and `demo` share. The runtime is made before the workflow: it
 * is what tells that a directory or the credentials are unusable, before the workflow touches the notes.
 */
export async function runStarter(run: {
  readonly said: string;
  readonly starter: StarterOptions;
  readonly runtime: RuntimeOptions;
  readonly flags: ForceFlag & { readonly verbose?: boolean };
  readonly terminal: Terminal;
  /** Called with the workflow's channel before it runs. */
  readonly onChannel?: (channel: HumanChannel) => void;
}): Promise<FlowEnd> {
  const { terminal } = run;
  const verbose = run.flags.verbose ?? false;
  const before = assertStartable(run.said, run.starter);
  const { lang, paths } = before;
  const workbench = new Workbench(paths.workspace, { home: paths.workbench, lang });
  const runtime = new Runtime({ ...run.runtime, lang, new: run.starter.new, workbench });
  let giveBack: (() => void) | undefined;
  try {
    const names = NAMES[lang];
    // Before the workflow touches the notes: another flower may be at work on them.
    giveBack = claimSteps({
      runDir: runtime.runDir,
      steps: [names.clarifyStep, names.goalStep, names.workStep],
      run: runtime.runId,
      lang,
      force: run.flags.force,
      onNotice: (text) =>
        printLine(terminal, renderNote("system", text, renderOptionsFor(terminal, lang, verbose))),
    });
    const flow = starterFlow(run.said, { ...run.starter, lang });
    const render = renderOptionsFor(terminal, lang, verbose);
    printLine(terminal, renderNote("wake", banner(before, runtime, run.starter.new ?? false), render));
    const saidBefore = before.asks?.includes(tidyLines(run.said)) ?? false;
    if (before.waking && !run.starter.new && !run.starter.clarifyOnly && saidBefore)
      printLine(terminal, renderNote("system", cliMessages[lang].saidBefore, render));
    if (verbose) {
      const window = describeWindow(runtime.handoff.window, runtime.environment.env, lang);
      for (const line of [...describeCredentials(runtime.environment, lang), window])
        printLine(terminal, renderNote("system", line, render));
    }
    if (flow.channel !== undefined) run.onChannel?.(flow.channel);
    const brief = shownPath(paths.brief);
    return await runFlow({
      terminal,
      runtime,
      flow,
      verbose,
      force: run.flags.force,
      nothingRan:
        run.said.trim() === "" || saidBefore
          ? cliMessages[lang].nothingClarified(brief)
          : cliMessages[lang].sentenceAdded(brief),
      lacks: ({ step, closing }) =>
        step.split("#", 1)[0] === NAMES[lang].goalStep ? Goal.parse(closing).missing(lang) : [],
    });
  } finally {
    giveBack?.();
    runtime.close();
  }
}

function banner(before: WakeState, runtime: Runtime, anew: boolean): string {
  const say = cliMessages[runtime.lang];
  const directory = shownPath(runtime.workspace);
  if (!before.waking || anew) return say.begins(directory);
  const work = before.steps[NAMES[before.lang].workStep];
  const context = work === undefined ? 0 : runtime.contextOf(work);
  return say.wakeBanner(directory, [
    say.briefFrozen,
    say.goalChecks(before.checks),
    ...(context === 0 ? [] : [say.workContext(`${(context / 1000).toFixed(1)}K`)]),
    say.wakeNumber(before.woke + 1),
  ]);
}

function starterOptions(flags: GoFlags): StarterOptions {
  return {
    workspace: flags.workspace,
    runDir: flags.runDir,
    lang: flags.lang,
    new: flags.new,
    isolate: flags.isolate,
    clarifyOnly: flags.clarifyOnly,
    goal: flags.goal,
    rounds: flags.rounds,
    judgeCanRun: flags.judgeCanRun,
    maxAsks: flags.asks === undefined || flags.asks < 0 ? null : flags.asks,
    timeoutMs: flags.timeout === undefined || flags.timeout === null ? flags.timeout : flags.timeout * 1000,
  };
}

function runtimeOptions(flags: GoFlags): RuntimeOptions {
  const handoff: HandoffPolicy = {
    enabled: flags.handoff,
    ...(flags.window === undefined ? {} : { window: flags.window }),
  };
  return {
    workspace: flags.workspace,
    runDir: flags.runDir,
    lang: flags.lang,
    trim: flags.trim,
    handoff,
    ...spendOptions(flags),
  };
}
