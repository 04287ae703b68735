import { existsSync } from "node:fs";
import { errorText } from "../base/errors.ts";
import type { Event } from "../events/event.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Context } from "../workflow/context.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { createDeparture, type Departure } from "./departure.ts";
import { errorLine } from "./error-line.ts";
import { listenToPerson } from "./person.ts";
import {
  dollars,
  type RenderOptions,
  renderEvent,
  renderNote,
  renderOptionsFor,
  renderProse,
} from "./render.ts";
import { shownPath } from "./shown-path.ts";
import { EXIT, listenToSignals } from "./signals.ts";
import { stepLines } from "./step-line.ts";
import { type Ended, stopReason } from "./stop-reason.ts";
import { printError, printLine, type Terminal, watchOutput } from "./terminal.ts";

export interface FlowRun {
  readonly terminal: Terminal;
  readonly runtime: Runtime;
  readonly flow: Workflow;
  readonly verbose: boolean;
  /** As `WorkflowRun.force`. */
  readonly force?: boolean | undefined;
  /** Told when no step had anything to do. Default: just that. */
  readonly nothingRan?: string | undefined;
  /** As `Ended.lacks`. */
  readonly lacks?: Ended["lacks"];
}

export interface FlowEnd {
  readonly exitCode: number;
  /** Undefined when the workflow did not come to an end of its own. */
  readonly context: Context | undefined;
}

/**
 * Runs a workflow in front of a person: prints what happens, takes their answers and words, and turns Ctrl-C,
 * signals and a reader that went away into an end with the books written. The same for every subcommand.
 */
export async function runFlow(run: FlowRun): Promise<FlowEnd> {
  const { terminal, runtime, flow } = run;
  const { lang } = runtime;
  const render = renderOptionsFor(terminal, lang, run.verbose);
  const tell = (text: string): void => {
    for (const line of renderProse("system", text, render)) printLine(terminal, line);
  };
  const departure = createDeparture({
    runtime,
    tell,
    exitAtOnce: (code) => process.exit(code),
    continuous: flow.continuous,
  });
  const onInterrupt = (): void => {
    if (departure.exitCode !== undefined || !person.interrupt()) departure.leave(EXIT.interrupted);
  };
  const person = listenToPerson({ terminal, runtime, channel: flow.channel, lang, tell });
  const stopListening = listenToSignals({ onInterrupt, onEnd: (code) => departure.leave(code) });
  const stopWatching = watchOutput(terminal, () => departure.leave(EXIT.hungUp));
  try {
    return await runUntilLeft(run, render, departure);
  } finally {
    stopListening();
    person.close();
    tellFrontEndErrors(run, render);
    printLine(terminal, renderNote("step", totalLine(runtime), render));
    stopWatching();
  }
}

async function runUntilLeft(run: FlowRun, render: RenderOptions, departure: Departure): Promise<FlowEnd> {
  const { terminal, runtime, flow, lacks } = run;
  const stepLine = stepLines(runtime, render);
  try {
    const context = await flow.run(runtime, {
      signal: departure.signal,
      force: run.force,
      onEvent: (event: Event) => {
        for (const line of renderEvent(event, render)) printLine(terminal, line);
      },
      onStep: (step, result, passed) => printLine(terminal, stepLine(step, result, passed)),
    });
    if (departure.exitCode !== undefined) return { exitCode: departure.exitCode, context };
    const why = stopReason({ context, runtime, continuous: flow.continuous, lacks });
    if (why !== undefined) printError(terminal, renderNote("failed", why, render));
    else if (runtime.results.length === 0)
      printLine(
        terminal,
        renderNote("system", run.nothingRan ?? cliMessages[render.lang].nothingRan, render),
      );
    return { exitCode: why === undefined ? EXIT.done : EXIT.stopped, context };
  } catch (thrown) {
    if (departure.exitCode === undefined) throw thrown;
    // Whatever waited when somebody left was told so by this reason; anything else is news.
    if (thrown !== departure.signal.reason) printError(terminal, errorLine(thrown));
    return { exitCode: departure.exitCode, context: undefined };
  }
}

/** What was spent, and where the books are; a run in which nothing ran may have none. */
function totalLine(runtime: Runtime): string {
  const { manifestPath, lang } = runtime;
  const books = existsSync(manifestPath) ? shownPath(manifestPath) : "";
  return cliMessages[lang].total(dollars(runtime.totalCost()), books);
}

/** What was collected so as not to disturb the run: events that could not be shown, logs that could not be written. */
function tellFrontEndErrors({ terminal, runtime, flow }: FlowRun, render: RenderOptions): void {
  const errors = [...runtime.sinkErrors, ...(flow.channel?.uiErrors ?? [])].map(errorText);
  for (const text of new Set(errors)) {
    printLine(terminal, renderNote("error", cliMessages[render.lang].frontEndError(text), render));
  }
}
