import { FlowerError } from "../base/errors.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { safeSink } from "../events/sink.ts";
import type { HumanChannel } from "../human/human-channel.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { INTERRUPTED, KILLED } from "../runtime/endings.ts";
import type { MailSource } from "../runtime/mail-delivery.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { checkSteps } from "./check-steps.ts";
import { claimSteps } from "./claim.ts";
import { type Context, textOf } from "./context.ts";
import { Lineage } from "./lineage.ts";
import { type Step, StepAbort } from "./step.ts";

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
      await runtime.prepare();
      const context = this.#begin(runtime, onEvent, options.signal);
      for (const [index, step] of this.steps.entries()) {
        if (step.when !== undefined && !(await step.when(context))) continue;
        const goOn = await this.#runStep({ runtime, context, step, index, mail: this.channel, options });
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
        onNotice: (text) => onEvent?.(createEvent("system", { subtype: "notice" }, { text })),
      });
      if (Object.keys(lineage.steps).length > 0) lineage.bump();
      context._lineage = lineage;
      context._woke = lineage.woke;
    }
    return context;
  }

  /** Steps write documents by themselves, past the guard that keeps the index. An index is no reason to stop. */
  #refreshIndex(runtime: Runtime): void {
    collect(runtime, () => this.workbench?.refresh());
  }

  /** Runs one step with all its attempts; false ends the workflow. */
  async #runStep(at: StepRun): Promise<boolean> {
    const { context, step, options } = at;
    const start = startOf(at);
    const onEvent = context._on_event;
    onEvent?.(
      createEvent(
        "step",
        {
          index: at.index,
          total: this.steps.length,
          resumed: start.resume !== undefined,
          woke: context._woke ?? 0,
        },
        { text: step.name, tool: step.name },
      ),
    );
    const { result, passed } = await attempts(at, start);
    options.onStep?.(step, result, passed);
    this.#refreshIndex(at.runtime);
    if (passed) {
      context[step.name] = step.reduce?.(result, context) ?? result.text;
      return true;
    }
    switch (step.onFail ?? "stop") {
      case "stop":
        context._failed_at = step.name;
        return false;
      case "skip":
        return !options.signal?.aborted;
      case "continue":
        context[step.name] = result.text;
        return !options.signal?.aborted;
    }
  }
}

function collect(runtime: Runtime, work: () => unknown): void {
  try {
    work();
  } catch (thrown) {
    runtime.sinkErrors.push(thrown);
  }
}

interface StepRun {
  readonly runtime: Runtime;
  readonly context: Context;
  readonly step: Step;
  readonly index: number;
  readonly mail: MailSource | undefined;
  readonly options: WorkflowRun;
}

/** What the next attempt is told, and in which session. */
interface Start {
  /** What the step is about, whatever this attempt is told. */
  readonly task: string;
  readonly prompt: string;
  readonly resume: string | undefined;
  readonly fork: boolean;
}

function startOf({ runtime, context, step }: StepRun): Start {
  const task = textOf(step.prompt, context);
  if (step.resumeFrom !== undefined) {
    const resume = context._sessions?.[step.resumeFrom];
    if (resume === undefined) {
      const say = workflowMessages[runtime.lang];
      throw new FlowerError("workflow/no-session", say.noSession(step.name, step.resumeFrom), {
        hint: say.noSessionHint,
      });
    }
    return { task, prompt: task, resume, fork: step.fork ?? false };
  }
  const recorded = context._lineage?.steps[step.name];
  if (recorded === undefined || !runtime.hasSession(recorded))
    return { task, prompt: task, resume: undefined, fork: false };
  const prompt = step.resumePrompt === undefined ? task : textOf(step.resumePrompt, context);
  return { task, prompt, resume: recorded, fork: false };
}

async function attempts(at: StepRun, first: Start): Promise<{ result: StepResult; passed: boolean }> {
  const { step } = at;
  let start = first;
  for (let attempt = 0; ; attempt += 1) {
    const result = await runOnce(at, labelOf(step, attempt), start);
    const judged = result.ok ? await judge(at, result) : "failed";
    if (judged === "passed") return { result, passed: true };
    const mayRetry = attempt < (step.retries ?? 0) && judged !== "aborted" && !isBrokenOff(at, result);
    // A result that is not ok has been retried by the runtime already; there is no verdict to send it back with.
    if (!mayRetry || (judged === "failed" && step.onReject !== undefined)) return { result, passed: false };
    start = await afterRejection(at, result, first);
  }
}

/** Somebody ended it on purpose: another attempt would only leave a row of its own. */
function isBrokenOff({ options }: StepRun, { error }: StepResult): boolean {
  return options.signal?.aborted === true || error === INTERRUPTED || error === KILLED;
}

/** `name#roundN` when the rejected session is sent back (N from 2), `name#retryN` when it starts over. */
function labelOf(step: Step, attempt: number): string {
  if (attempt === 0) return step.name;
  return step.onReject === undefined ? `${step.name}#retry${attempt}` : `${step.name}#round${attempt + 1}`;
}

async function afterRejection(
  { runtime, step, context }: StepRun,
  result: StepResult,
  first: Start,
): Promise<Start> {
  const words = (await step.onReject?.(result, context)) ?? "";
  const { sessionId } = result;
  if (words === "" || sessionId === null || !runtime.hasSession(sessionId)) return first;
  return { task: first.task, prompt: words, resume: sessionId, fork: false };
}

async function runOnce(
  { runtime, context, step, mail, options }: StepRun,
  label: string,
  start: Start,
): Promise<StepResult> {
  const remember = (sessionId: string, told?: readonly string[]): void =>
    context._lineage?.remember(step.name, sessionId, told);
  let live: string | undefined;
  const result = await runtime.run(step.spec, start.prompt, {
    stepName: label,
    resume: start.resume,
    fork: start.fork,
    task: start.task,
    onEvent: (event) => {
      // A session's id is known before its prompt is stored; it has been told when an answer comes.
      if (live !== undefined && ANSWERS.has(event.kind)) remember(live, step.tells);
      context._on_event?.(event);
    },
    // Of this call alone: a judge that the gate runs must not enter the lineage under the step's name.
    onSession: (sessionId) => {
      live = sessionId;
      remember(sessionId);
    },
    mail,
    signal: options.signal,
  });
  context._results = { ...context._results, [step.name]: result };
  if (result.sessionId !== null) {
    context._sessions = { ...context._sessions, [step.name]: result.sessionId };
    remember(result.sessionId, result.ok ? step.tells : []);
  }
  return result;
}

/** What comes after a request that carried the prompt: it is in the transcript by then, whatever the answer was. */
const ANSWERS: ReadonlySet<string> = new Set(["text", "thinking", "tool_call", "error", "result"]);

async function judge(
  { step, context }: StepRun,
  result: StepResult,
): Promise<"passed" | "rejected" | "aborted"> {
  if (step.gate === undefined) return "passed";
  try {
    return (await step.gate(result, context)) ? "passed" : "rejected";
  } catch (thrown) {
    if (!(thrown instanceof StepAbort)) throw thrown;
    context._aborted = thrown.message;
    return "aborted";
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
