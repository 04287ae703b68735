import { processEnv } from "../config/env.ts";
import type { Event } from "../events/event.ts";
import { safeSink } from "../events/sink.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { INTERRUPTED } from "../runtime/endings.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { type Context, MISSING_KEY, VERDICT_KEY } from "../workflow/context.ts";
import type { Step } from "../workflow/step.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { listenToPerson } from "./person.ts";
import { dollars, lineWidth, type RenderOptions, renderEvent, renderNote } from "./render.ts";
import { EXIT, listenToSignals } from "./signals.ts";
import { isInteractive, printLine, type Terminal } from "./terminal.ts";

export interface FlowRun {
  readonly terminal: Terminal;
  readonly runtime: Runtime;
  readonly flow: Workflow;
  readonly verbose: boolean;
  /** Sees every event after it was printed. */
  readonly onEvent?: (event: Event) => void;
}

export interface FlowEnd {
  readonly exitCode: number;
  readonly context: Context | undefined;
}

export function renderOptionsFor(
  terminal: Terminal,
  lang: RenderOptions["lang"],
  verbose: boolean,
): RenderOptions {
  const env = processEnv();
  const colors = terminal.output.isTTY === true && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb";
  return { lang, width: lineWidth(terminal.output.columns), colors, verbose };
}

/**
 * Runs a workflow in front of a person: prints what happens, takes their answers and words, and turns Ctrl-C and
 * signals into an end with the books written. The same for `go`, `run` and `demo`.
 */
export async function runFlow(run: FlowRun): Promise<FlowEnd> {
  const { terminal, runtime, flow } = run;
  const say = cliMessages[runtime.lang];
  const render = renderOptionsFor(terminal, runtime.lang, run.verbose);
  const print = (event: Event): void => {
    for (const line of renderEvent(event, render)) printLine(terminal, line);
  };
  const tell = safeSink(run.onEvent, runtime.sinkErrors);
  const abort = new AbortController();
  let ended: number | undefined;
  const leave = (exitCode: number): void => {
    if (ended !== undefined) return;
    ended = exitCode;
    printLine(terminal, renderNote("system", say.leaving, render));
    runtime.rescue();
    abort.abort();
  };
  const onInterrupt = (): void => {
    if (!isInteractive(terminal) || person.awaitsWords) leave(EXIT.interrupted);
    else person.awaitWords((words) => void runtime.interrupt(words));
  };
  const person = listenToPerson({ terminal, channel: flow.channel, lang: runtime.lang, onInterrupt });
  const stopListening = listenToSignals({ onInterrupt, onEnd: leave });
  try {
    const context = await flow.run(runtime, {
      signal: abort.signal,
      onEvent: (event) => {
        print(event);
        tell(event);
      },
      onStep: (step, result) => printLine(terminal, stepEnd(step, result, render)),
    });
    if (ended !== undefined) return { exitCode: ended, context };
    const why = stopReason(context, run);
    if (why !== undefined) terminal.errors.write(`${renderNote("failed", why, render)}\n`);
    return { exitCode: why === undefined ? EXIT.done : EXIT.stopped, context };
  } finally {
    stopListening();
    person.close();
    printLine(
      terminal,
      renderNote("step", say.total(dollars(runtime.totalCost()), runtime.manifestPath), render),
    );
  }
}

function stepEnd(step: Step, result: StepResult, render: RenderOptions): string {
  const say = cliMessages[render.lang];
  return result.ok
    ? renderNote("ok", say.stepDone(step.name, dollars(result.costUsd), result.numTurns), render)
    : renderNote("failed", say.stepFailed(step.name, result.error ?? ""), render);
}

/** Why the workflow ended early, in one line; undefined when it did not. */
function stopReason(context: Context, { runtime }: FlowRun): string | undefined {
  const say = cliMessages[runtime.lang];
  const failed = context._failed_at;
  if (failed === undefined) return undefined;
  const result = context._results?.[failed];
  if (context._aborted !== undefined) return say.stopStep(failed, context._aborted);
  if (result?.error === INTERRUPTED) return say.stopInterrupted;
  if (result?.error !== null && result?.error !== undefined) return say.stopStep(failed, result.error);
  const missing = context[MISSING_KEY];
  if (missing !== undefined) return say.stopClarify(missing.join(", "));
  const verdict = context[VERDICT_KEY];
  return verdict === undefined ? say.stopStep(failed, "") : say.stopVerdict(verdict.reason);
}
