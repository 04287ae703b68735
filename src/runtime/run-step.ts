import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { faultPoint } from "../base/fault-point.ts";
import { joinParagraphs } from "../base/text.ts";
import { isOverflow } from "../documents/overflow.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { INTERRUPT_NOTE, PROMPTS } from "../lang/prompts.ts";
import { isOutage } from "../resilience/classify.ts";
import { type AttemptEnd, runAttempt, type Turn } from "./attempt.ts";
import { HANDOFF_DUE, INTERRUPTED, KILLED } from "./endings.ts";
import type { Flight } from "./in-flight.ts";
import { learnWindow } from "./learn-window.ts";
import type { MailSource } from "./mail-delivery.ts";
import type { RuntimeParts } from "./parts.ts";
import { otherModel } from "./served-model.ts";
import { createStepCost, type StepCost } from "./step-cost.ts";
import type { StepDraft } from "./step-result.ts";
import { waitToRetry } from "./wait-to-retry.ts";
import { workerNotes } from "./worker-notes.ts";
import { writeHandoff } from "./write-handoff.ts";

export interface StepRequest {
  readonly spec: AgentSpec;
  readonly turn: Turn;
  /** What the step is about, for a document that flower must put together itself. */
  readonly task: string;
  readonly onEvent: EventSink;
  /** Called the moment a session id is known, and again when a successor or a branch takes over. */
  readonly onSession: (sessionId: string) => void;
  /** The step's record on disk. */
  readonly flight: Flight;
  /** Where a human's unasked words come from while a turn runs. */
  readonly mail?: MailSource | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What comes after an attempt: another turn, or the end with its error (null: success). */
type Next = { readonly turn: Turn } | { readonly stop: string | null };

/** What the loop knows beside the books. */
interface LoopState {
  /** The session that the next turn may go on in; null until this generation has one. */
  live: string | null;
  /** The near warning of this generation was given. */
  warned: boolean;
  /** Handoff documents in a row that no session wrote. */
  degradedInRow: number;
  /** Tokens with which the first successor began, for the diagnosis; 0 until one retired. */
  floor: number;
  /** Failed attempts in a row in which the model never answered; the first one after an answer counts as one. */
  failures: number;
  /** Words of a human that are to be said in the next turn, and that no model has read; often empty. */
  unheard: string;
}

/**
 * Runs one step to its end: the loop with the four exits of SPEC 4. Success stops; a human's interrupt and a
 * full context go on without counting; a failure worth it is retried in the same session; anything else stops.
 *
 * Contract: writes the books into `draft` as it goes, so that they can be saved at any moment. Rejects only on
 * bad arguments and defects.
 */
export async function runStep(parts: RuntimeParts, request: StepRequest, draft: StepDraft): Promise<void> {
  const state: LoopState = {
    live: null,
    warned: false,
    degradedInRow: 0,
    floor: 0,
    failures: 0,
    unheard: "",
  };
  try {
    await loop({ parts, request, draft, state, cost: createStepCost(draft, request.flight, parts.clock) });
  } finally {
    giveBack(parts, request, state.unheard);
  }
}

async function loop(step: Loop): Promise<void> {
  const { parts, request, draft, state, cost } = step;
  const { flight } = request;
  const noteWorker = workerNotes(flight);
  let turn = withWorkers(parts, request, request.turn);
  for (;;) {
    const spent = parts.spend.refusal();
    if (spent !== undefined) {
      draft.error = spent;
      return;
    }
    const end = await runAttempt(parts, {
      spec: request.spec,
      turn,
      onEvent: (event) => {
        noteWorker(event);
        request.onEvent(event);
      },
      onSession: (id) => {
        state.live = id;
        draft.sessionId = id;
        flight.save();
        faultPoint("flight/session");
        request.onSession(id);
      },
      onSpawn: (directory) => flight.startedIn(directory),
      onCost: cost.soFar,
      onNear: (context) => warn(parts, request, state, context),
      mail: request.mail,
      signal: request.signal,
    });
    account(step, end.outcome);
    if (end.outcome.context > 0) state.unheard = "";
    tellModel(parts, request, end.outcome);
    draft.text = joinParagraphs(draft.text, end.outcome.text);
    draft.closing = end.outcome.closing;
    draft.context = end.outcome.context || draft.context;
    flight.save();
    if (draft.retired.length > 0) state.floor ||= end.outcome.firstContext;
    const next = await decide(step, end, turn);
    if ("stop" in next) {
      draft.error = next.stop;
      draft.ok = next.stop === null;
      return;
    }
    turn = withWorkers(parts, request, next.turn);
  }
}

/**
 * Names to a session that goes on the workers that were cut off in it: their ids stand nowhere in its own transcript
 * (HARNESS 13.1), and without them it would begin their work anew.
 */
function withWorkers(parts: RuntimeParts, { spec, flight }: StepRequest, turn: Turn): Turn {
  const canReach = spec.allowedTools?.includes("SendMessage") ?? false;
  if (turn.resume === undefined || turn.fork || flight.workers.length === 0 || !canReach) return turn;
  const { resume } = turn;
  const unfinished = flight.workers.filter(({ id }) =>
    parts.store.isUnfinished(parts.projectKey, resume, id),
  );
  if (unfinished.length === 0) return turn;
  flight.workersTold();
  const workers = PROMPTS[parts.lang].unfinishedWorkers({ workers: unfinished });
  return { ...turn, prompt: joinParagraphs(turn.prompt, workers) };
}

/** Words that the step ended without are not lost: they wait for the next one, and are told. */
function giveBack(parts: RuntimeParts, request: StepRequest, words: string): void {
  if (words === "") return;
  request.mail?.send(words);
  const text = runtimeMessages[parts.lang].wordsUnheard(words, request.mail !== undefined);
  request.onEvent(createEvent("system", { subtype: "words_unheard" }, { text }));
}

interface Loop {
  readonly parts: RuntimeParts;
  readonly request: StepRequest;
  readonly draft: StepDraft;
  readonly state: LoopState;
  readonly cost: StepCost;
}

async function decide(loop: Loop, end: AttemptEnd, turn: Turn): Promise<Next> {
  const { parts, request, state } = loop;
  const { outcome, brokenBy, gaveUp } = end;
  const words = brokenBy?.by === "human" ? brokenBy.words : undefined;
  // Words that came while the process was ending are still words; a turn that was cut is not what a later one says.
  if (outcome.ok && brokenBy?.by !== "context" && (words === undefined || words === ""))
    return { stop: null };
  state.unheard = joinParagraphs(state.unheard, words);
  try {
    request.signal?.throwIfAborted();
    if (words !== undefined) return afterInterrupt(loop);
    const overflowed = parts.handoff.enabled && isOverflow(outcome.error ?? "", ...outcome.errors);
    if ((brokenBy?.by === "context" || overflowed) && state.live !== null) {
      return await handOver(loop, { sessionId: state.live, overflowed, end });
    }
    if (gaveUp !== undefined) return { stop: gaveUp };
    return await afterFailure(loop, outcome, turn);
  } catch (thrown) {
    if (request.signal?.aborted) return { stop: request.signal.reason === KILLED ? KILLED : INTERRUPTED };
    throw thrown;
  }
}

function afterInterrupt({ parts, state }: Loop): Next {
  if (state.live === null) return { stop: INTERRUPTED };
  const prompt = joinParagraphs(state.unheard, INTERRUPT_NOTE[parts.lang]);
  return { turn: { prompt, resume: state.live } };
}

async function handOver(
  loop: Loop,
  full: { sessionId: string; overflowed: boolean; end: AttemptEnd },
): Promise<Next> {
  const { parts, request, draft, state } = loop;
  const { handoff, lang } = parts;
  const say = runtimeMessages[lang];
  draft.error = HANDOFF_DUE;
  if (full.overflowed) await learnWindow(parts, { ...request, sessionId: full.sessionId });
  if (draft.retired.length >= handoff.maxGenerations) {
    return { stop: say.generationsSpent(draft.retired.length, handoff.at, handoff.window, state.floor) };
  }
  const written = await writeHandoff(parts, {
    spec: request.spec,
    step: draft.step,
    task: request.task,
    sessionId: full.sessionId,
    context: full.end.outcome.context,
    overflowed: full.overflowed,
    workers: request.flight.workers,
    onEvent: request.onEvent,
    onOutcome: (outcome) => account(loop, outcome),
    onSpawn: (directory) => request.flight.startedIn(directory),
    onCost: loop.cost.soFar,
    signal: request.signal,
  });
  // The session is whole and can write its document when the API is back: a successor could not begin now either.
  if ("gaveUp" in written) return { stop: written.gaveUp };
  state.degradedInRow = written.degraded === undefined ? 0 : state.degradedInRow + 1;
  if (written.degraded !== undefined && state.degradedInRow >= 2) {
    return { stop: say.degradedTwice(written.degraded) };
  }
  // A subagent belongs to its session: the successor cannot reach it, it reads of it in the document.
  for (const { id } of request.flight.workers) request.flight.workerReported(id);
  draft.retired = [...draft.retired, full.sessionId];
  draft.context = 0;
  state.live = null;
  state.warned = false;
  // A session that could not write did not read either what was said to it last.
  const unread = written.degraded === undefined ? "" : full.end.unread;
  return { turn: { prompt: joinParagraphs(written.handoff.promptBlock(), unread, state.unheard) } };
}

async function afterFailure(
  { parts, request, draft, state }: Loop,
  outcome: QueryOutcome,
  turn: Turn,
): Promise<Next> {
  const { onEvent, signal } = request;
  const error = outcome.error ?? "";
  // Outages that a run outlives one by one do not add up. What fails for another reason fails after each answer anew.
  const isAnother = outcome.context > 0 && isOutage(error);
  state.failures = isAnother ? 1 : state.failures + 1;
  const why = await waitToRetry(parts, {
    attempt: state.failures,
    error,
    onEvent,
    signal,
  });
  if (why !== undefined) return { stop: why };
  draft.attempts += 1;
  // Nothing came back, not even an error of the API: the prompt may never have got into the session.
  if (outcome.context === 0 && outcome.errors.length === 0) return { turn };
  // A session id is known before its first row is stored: one that died in between cannot be resumed.
  if (state.live === null || !parts.store.hasSession(parts.projectKey, state.live)) return { turn };
  draft.resumed = true;
  return { turn: { prompt: parts.resilience.resumePrompt, resume: state.live } };
}

function warn(parts: RuntimeParts, request: StepRequest, state: LoopState, context: number): void {
  if (state.warned) return;
  state.warned = true;
  const { window, at } = parts.handoff;
  request.onEvent(createEvent("handoff", { phase: "near", context, window }, { text: `${context}/${at}` }));
}

/** Once per run and pair: nobody should pay for ten hours of another model without knowing. */
function tellModel(parts: RuntimeParts, request: StepRequest, outcome: QueryOutcome): void {
  const other = otherModel(request.spec.model ?? parts.env["ANTHROPIC_MODEL"], outcome.servedModel);
  if (other === undefined) return;
  const text = runtimeMessages[parts.lang].modelDiffers(other.asked, other.served);
  if (parts.toldOnce.has(text)) return;
  parts.toldOnce.add(text);
  request.onEvent(createEvent("system", { subtype: "model_differs", ...other }, { text }));
}

/** Adds what a query cost to the books. Text and context are the caller's: a handoff turn changes neither. */
function account({ draft, cost }: Loop, outcome: QueryOutcome): void {
  cost.settle(outcome.costUsd);
  draft.numTurns += outcome.numTurns;
  draft.errors = [...draft.errors, ...outcome.errors];
}
