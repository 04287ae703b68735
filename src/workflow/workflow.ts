import { createEvent, type EventSink } from "../events/event.ts";
import { safeSink } from "../events/sink.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { checkSteps } from "./check-steps.ts";
import { claimSteps } from "./claim.ts";
import type { Context } from "./context.ts";
import { Lineage } from "./lineage.ts";
import type { Step } from "./step.ts";
import { attempts, type StepRun, startOf } from "./step-attempts.ts";

/** What a workflow has beside its steps. */
export interface WorkflowOptions {
  /** What it is called where workflows are listed. Default "workflow". */
  readonly name?: string;
  /** What the steps find in the context at the beginning. */
  readonly context?: Context;
  /** Its events go where the workflow's go, unless it has a listener already. */
  readonly channel?: HumanChannel | undefined;
  /** Where its agents keep scripts and notes; for whoever makes the runtime. */
  readonly workbench?: Workbench | undefined;
  /** The same directory goes on in the sessions of its last run. Default true. */
  readonly continuous?: boolean;
}

/** What one run of a workflow may be given. */
export interface WorkflowRun {
  /** Contract: may throw; what it throws is collected in the runtime's `sinkErrors`. */
  readonly onEvent?: EventSink;
  /** Called after each step's last attempt; `passed` is false when that failed or its gate rejected it. */
  readonly onStep?: (step: Step, result: StepResult, passed: boolean) => void;
  /** Ends the step that is running, and no further one begins. */
  readonly signal?: AbortSignal;
  /** Take over steps of a flower on another machine, whose end cannot be seen from here (`claimSteps`). */
  readonly force?: boolean | undefined;
}

/** Steps in order, and what flows between them. The object holds no state of a run: it may run again. */
export class Workflow {
  readonly steps: readonly Step[];
  readonly name: string;
  readonly context: Context;
  readonly channel: HumanChannel | undefined;
  readonly workbench: Workbench | undefined;
  readonly continuous: boolean;

  constructor(steps: readonly Step[], options: WorkflowOptions = {}) {
    this.steps = steps;
    this.name = options.name ?? "workflow";
    this.context = options.context ?? {};
    this.channel = options.channel;
    this.workbench = options.workbench;
    this.continuous = options.continuous ?? true;
  }

  /**
   * Runs the steps and returns the context. A step that fails is in it (`_failed_at`, `_aborted`, `_results`);
   * throws what `checkSteps` and `claimSteps` throw before anything else, `workflow/no-session` when the step that
   * another one resumes left no session, and what a step's own functions throw.
   */
  async run(runtime: Runtime, options: WorkflowRun = {}): Promise<Context> {
    checkSteps(this.steps, Object.keys(this.context._sessions ?? {}), runtime.lang);
    const giveBack = this.continuous
      ? claimSteps({
          runDir: runtime.runDir,
          steps: this.steps.map(({ name }) => name),
          run: runtime.runId,
          lang: runtime.lang,
          force: options.force,
          onNotice: (text) => tell(safeSink(options.onEvent, runtime.sinkErrors), text),
        })
      : () => undefined;
    try {
      return await this.#runClaimed(runtime, options);
    } finally {
      // A claim of a process that is gone is taken over anyway: no reason to lose what the run has come to.
      collect(runtime, giveBack);
    }
  }

  async #runClaimed(runtime: Runtime, options: WorkflowRun): Promise<Context> {
    const onEvent = safeSink(options.onEvent, runtime.sinkErrors);
    // Before anything is waited for: somebody may be typing already.
    const unwire = wireChannel(this.channel, onEvent);
    try {
      // Before lineage's sessions are looked for: some may have to be saved first.
      await runtime.prepare({ force: options.force });
      const context = this.#begin(runtime, onEvent, options.signal);
      for (const [index, step] of this.steps.entries()) {
        if (step.when !== undefined && !(await step.when(context))) continue;
        const at = { runtime, context, step, mail: this.channel, signal: options.signal };
        const goOn = await this.#runStep(at, index, options.onStep);
        if (!goOn) break;
      }
      return context;
    } finally {
      runtime.tellNotices(onEvent);
      unwire();
    }
  }

  #begin(runtime: Runtime, onEvent: EventSink | undefined, signal: AbortSignal | undefined): Context {
    const context: Context = { ...this.context };
    context._runtime = runtime;
    context._on_event = onEvent;
    context._signal = signal;
    context._sessions = { ...this.context._sessions };
    context._results = {};
    context._woke = 0;
    if (this.continuous) {
      const lineage = Lineage.open(runtime.runDir, runtime.workspace, {
        lang: runtime.lang,
        onNotice: (text) => tell(onEvent, text),
      });
      if (Object.keys(lineage.steps).length > 0) lineage.bump();
      context._lineage = lineage;
      context._woke = lineage.woke;
    }
    return context;
  }

  /** Runs one step with all its attempts; false ends the workflow. */
  async #runStep(at: StepRun, index: number, onStep: WorkflowRun["onStep"]): Promise<boolean> {
    const { context, step, signal } = at;
    const start = startOf(at);
    const onEvent = context._on_event;
    onEvent?.(
      createEvent(
        "step",
        {
          index,
          total: this.steps.length,
          resumed: start.resume !== undefined,
          woke: context._woke ?? 0,
        },
        { text: step.name, tool: step.name },
      ),
    );
    const { result, passed } = await attempts(at, start);
    onStep?.(step, result, passed);
    // Steps write documents by themselves, past the guard that keeps the index. An index is no reason to stop.
    collect(at.runtime, () => this.workbench?.refresh());
    if (passed) {
      context[step.name] = step.reduce?.(result, context) ?? result.text;
      return true;
    }
    switch (step.onFail ?? "stop") {
      case "stop":
        context._failed_at = step.name;
        return false;
      case "skip":
        return !signal?.aborted;
      case "continue":
        context[step.name] = result.text;
        return !signal?.aborted;
    }
  }
}

function tell(onEvent: EventSink | undefined, text: string): void {
  onEvent?.(createEvent("system", { subtype: "notice" }, { text }));
}

function collect(runtime: Runtime, work: () => unknown): void {
  try {
    work();
  } catch (thrown) {
    runtime.sinkErrors.push(thrown);
  }
}

/** The channel's events go where the workflow's go, unless somebody listens to it already. */
function wireChannel(channel: HumanChannel | undefined, sink: EventSink | undefined): () => void {
  if (channel === undefined || sink === undefined || channel.onEvent !== undefined) return () => undefined;
  channel.onEvent = sink;
  return () => {
    channel.onEvent = undefined;
  };
}
