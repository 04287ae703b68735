import { FlowerError } from "../base/errors.ts";
import { createEvent } from "../events/event.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { INTERRUPTED, KILLED } from "../runtime/endings.ts";
import type { MailSource } from "../runtime/mail-delivery.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { type Context, textOf } from "./context.ts";
import { type Step, StepAbort } from "./step.ts";

/** One step of a workflow, and what its attempts need. */
export interface StepRun {
  readonly runtime: Runtime;
  readonly context: Context;
  readonly step: Step;
  readonly mail: MailSource | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What the next attempt is told, and in which session. */
export interface Start {
  /** What the step is about, whatever this attempt is told. */
  readonly task: string;
  readonly prompt: string;
  readonly resume: string | undefined;
  readonly fork: boolean;
  readonly resumeAt?: string | undefined;
}

/** How a step begins: in a session that is there already, or anew. Throws `workflow/no-session`. */
export function startOf({ runtime, context, step }: StepRun): Start {
  const task = textOf(step.prompt, context);
  if (step.resumeFrom !== undefined) {
    const resume = context._sessions?.[step.resumeFrom];
    if (resume === undefined) {
      const say = workflowMessages[runtime.lang];
      throw new FlowerError("workflow/no-session", say.noSession(step.name, step.resumeFrom), {
        hint: say.noSessionHint,
      });
    }
    return { task, prompt: task, resume, fork: step.fork ?? false, resumeAt: step.resumeAt };
  }
  const recorded = context._lineage?.steps[step.name];
  if (recorded === undefined || !runtime.hasSession(recorded)) {
    if (recorded !== undefined) tellLost({ runtime, context, step }, recorded);
    return { task, prompt: task, resume: undefined, fork: false };
  }
  const prompt = step.resumePrompt === undefined ? task : textOf(step.resumePrompt, context);
  return { task, prompt, resume: recorded, fork: false };
}

/** The database was lost or replaced, or the flower that began the session was killed before its first row. */
function tellLost(
  { runtime, context, step }: Pick<StepRun, "runtime" | "context" | "step">,
  id: string,
): void {
  const text = workflowMessages[runtime.lang].sessionLost(step.name, id);
  context._on_event?.(createEvent("system", { subtype: "notice" }, { text }));
}

/** Takes attempts at a step until one passes or no further one may be made. */
export async function attempts(at: StepRun, first: Start): Promise<{ result: StepResult; passed: boolean }> {
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
function isBrokenOff({ signal }: StepRun, { error }: StepResult): boolean {
  return signal?.aborted === true || error === INTERRUPTED || error === KILLED;
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
  { runtime, context, step, mail, signal }: StepRun,
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
    resumeAt: start.resumeAt,
    task: start.task,
    onEvent: (event) => {
      context._on_event?.(event);
      // A session's id is known before its prompt is stored; it has been told when an answer comes.
      if (live !== undefined && ANSWERS.has(event.kind)) remember(live, step.tells);
    },
    // Of this call alone: a judge that the gate runs must not enter the lineage under the step's name.
    onSession: (sessionId) => {
      live = sessionId;
      remember(sessionId);
    },
    mail,
    signal,
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
