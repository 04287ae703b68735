import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { isOverflow } from "../documents/overflow.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { INTERRUPT_NOTE } from "../lang/prompts.ts";
import { classify } from "../resilience/classify.ts";
import { type AttemptEnd, runAttempt, type Turn } from "./attempt.ts";
import { HANDOFF_DUE, INTERRUPTED } from "./endings.ts";
import type { RuntimeParts } from "./parts.ts";
import { otherModel } from "./served-model.ts";
import { newDraft, type StepDraft } from "./step-result.ts";
import { writeHandoff } from "./write-handoff.ts";

export interface StepRequest {
  readonly spec: AgentSpec;
  readonly step: string;
  readonly turn: Turn;
  readonly onEvent: EventSink;
  /** Called the moment a session id is known, and again when a successor or a branch takes over. */
  readonly onSession: (sessionId: string) => void;
  /** Called whenever the books changed, so that they can be on disk before the step ends. */
  readonly onDraft: (draft: StepDraft) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What comes after an attempt: another turn, or nothing. */
type Next = { readonly turn: Turn } | { readonly stop: string | null };

/**
 * Runs one step to its end: the loop with the four exits of SPEC 4. Success stops; a human's interrupt and a
 * full context go on without counting; a failure worth it is retried in the same session; anything else stops.
 *
 * Contract: rejects only on a defect of ours; how the step ended is in the draft.
 */
export async function runStep(parts: RuntimeParts, request: StepRequest): Promise<StepDraft> {
  const draft = newDraft(request.step, parts.clock.now());
  const state = { degradedInRow: 0, floor: 0 };
  request.onDraft(draft);
  let turn = request.turn;
  for (;;) {
    const end = await runAttempt(parts, {
      spec: request.spec,
      turn,
      onEvent: request.onEvent,
      onSession: (id) => {
        draft.sessionId = id;
        request.onSession(id);
        request.onDraft(draft);
      },
      signal: request.signal,
    });
    account(draft, end.outcome);
    tellModel(parts, request, end.outcome);
    draft.text = join(draft.text, end.outcome.text);
    draft.closing = end.outcome.closing;
    draft.context = end.outcome.context || draft.context;
    if (draft.retired.length > 0) state.floor ||= end.outcome.firstContext;
    const next = await decide(parts, request, draft, state, end, turn);
    request.onDraft(draft);
    if ("stop" in next) {
      draft.error = next.stop;
      draft.ok = next.stop === null;
      return draft;
    }
    turn = next.turn;
  }
}

interface LoopState {
  /** Handoff documents in a row that no session wrote. */
  degradedInRow: number;
  /** Tokens with which the first successor began, for the diagnosis; 0 until one retired. */
  floor: number;
}

async function decide(
  parts: RuntimeParts,
  request: StepRequest,
  draft: StepDraft,
  state: LoopState,
  end: AttemptEnd,
  turn: Turn,
): Promise<Next> {
  const { outcome, brokenBy } = end;
  if (outcome.ok) return { stop: null };
  if (request.signal?.aborted) return { stop: INTERRUPTED };
  if (brokenBy?.by === "human") return afterInterrupt(parts, draft, brokenBy.words);
  const overflowed = parts.handoff.enabled && isOverflow(outcome.error ?? "", ...outcome.errors);
  if ((brokenBy?.by === "context" || overflowed) && draft.sessionId !== null) {
    return handOver(parts, request, draft, state, { sessionId: draft.sessionId, overflowed, outcome });
  }
  return afterFailure(parts, request, draft, outcome, turn);
}

function afterInterrupt(parts: RuntimeParts, draft: StepDraft, words: string): Next {
  if (draft.sessionId === null) return { stop: INTERRUPTED };
  const prompt = join(words, INTERRUPT_NOTE[parts.lang]);
  return { turn: { prompt, resume: draft.sessionId } };
}

async function handOver(
  parts: RuntimeParts,
  request: StepRequest,
  draft: StepDraft,
  state: LoopState,
  full: { sessionId: string; overflowed: boolean; outcome: QueryOutcome },
): Promise<Next> {
  const { handoff, lang } = parts;
  const say = runtimeMessages[lang];
  draft.error = HANDOFF_DUE;
  request.onDraft(draft);
  if (draft.retired.length >= handoff.maxGenerations) {
    return { stop: say.generationsSpent(draft.retired.length, handoff.at, handoff.window, state.floor) };
  }
  const written = await writeHandoff(parts, {
    spec: request.spec,
    step: request.step,
    task: request.turn.prompt,
    sessionId: full.sessionId,
    context: full.outcome.context,
    overflowed: full.overflowed,
    onEvent: request.onEvent,
    signal: request.signal,
  });
  if (written.outcome !== undefined) account(draft, written.outcome);
  if (request.signal?.aborted) return { stop: INTERRUPTED };
  state.degradedInRow = written.degraded === undefined ? 0 : state.degradedInRow + 1;
  if (written.degraded !== undefined && state.degradedInRow >= 2)
    return { stop: say.degradedTwice(written.degraded) };
  draft.retired = [...draft.retired, full.sessionId];
  draft.context = 0;
  return { turn: { prompt: written.handoff.promptBlock() } };
}

async function afterFailure(
  parts: RuntimeParts,
  request: StepRequest,
  draft: StepDraft,
  outcome: QueryOutcome,
  turn: Turn,
): Promise<Next> {
  const { resilience, lang, clock, env } = parts;
  const error = outcome.error ?? "";
  if (
    !resilience.enabled ||
    draft.attempts >= resilience.maxAttempts ||
    !resilience.shouldRetry(classify(error))
  ) {
    return { stop: error };
  }
  const retry = { attempt: draft.attempts, max_attempts: resilience.maxAttempts, error };
  const waitMs = resilience.delayFor(draft.attempts);
  request.onEvent(createEvent("retry", { ...retry, phase: "backoff", wait_ms: waitMs }, { text: error }));
  try {
    const online = await resilience.waitOnline({
      env,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      notify: (phase, text) =>
        request.onEvent(createEvent("retry", { ...retry, phase, wait_ms: null }, { text })),
    });
    if (!online)
      return {
        stop: `${runtimeMessages[lang].offlineTooLong(Math.round(resilience.maxOfflineWaitMs / 60_000))}: ${error}`,
      };
    await clock.sleep(waitMs, request.signal);
  } catch (thrown) {
    if (request.signal?.aborted) return { stop: INTERRUPTED };
    throw thrown;
  }
  draft.attempts += 1;
  if (draft.sessionId === null) return { turn };
  draft.resumed = true;
  return { turn: { prompt: resilience.resumePrompt, resume: draft.sessionId } };
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
function account(draft: StepDraft, outcome: QueryOutcome): void {
  draft.costUsd += outcome.costUsd;
  draft.numTurns += outcome.numTurns;
  draft.errors = [...draft.errors, ...outcome.errors];
}

function join(before: string, after: string): string {
  return [before, after].filter((part) => part !== "").join("\n\n");
}
