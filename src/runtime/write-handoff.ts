import { join } from "node:path";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { faultPoint } from "../base/fault-point.ts";
import { joinParagraphs } from "../base/text.ts";
import { degradedHandoff, Handoff } from "../documents/handoff.ts";
import { isOverflow } from "../documents/overflow.ts";
import { replaceDocument } from "../documents/replace-document.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { handoffPrompt } from "../lang/handoff-prompt.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { fileSafe, NAMES } from "../lang/names.ts";
import { runAside } from "./attempt.ts";
import type { WorkerInFlight } from "./in-flight.ts";
import type { RuntimeParts } from "./parts.ts";
import { waitToRetry } from "./wait-to-retry.ts";

export interface WrittenHandoff {
  readonly handoff: Handoff;
  /** Why the session could not write it itself; undefined when it did. */
  readonly degraded: string | undefined;
}

/** The API stayed away for as long as may be waited. */
export interface NotWritten {
  readonly gaveUp: string;
}

export interface HandoffRequest {
  readonly spec: AgentSpec;
  readonly step: string;
  /** What the step is about, for a document that flower must put together itself. */
  readonly task: string;
  readonly sessionId: string;
  readonly context: number;
  readonly overflowed: boolean;
  /** Subagents of the session that had not reported. */
  readonly workers: readonly WorkerInFlight[];
  readonly onEvent: EventSink;
  /** Called for every turn that was spent on the document, for the books. */
  readonly onOutcome: (outcome: QueryOutcome) => void;
  readonly onSpawn: (configDirectory: string) => void;
  readonly onCost: (usd: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the document with which a fresh session takes over. The session that is full writes it itself, in a
 * turn that no threshold and no budget ends and that is not shown; one that has overflowed cannot, so the
 * document is put together from the task. There is none while the API is away. Rejects only when the signal aborts.
 */
export async function writeHandoff(
  parts: RuntimeParts,
  request: HandoffRequest,
): Promise<WrittenHandoff | NotWritten> {
  const { window } = parts.handoff;
  const { context } = request;
  request.onEvent(createEvent("handoff", { phase: "writing", context, window }));
  const answer = request.overflowed
    ? degraded(parts, request, runtimeMessages[parts.lang].handoffOverflow)
    : await askSession(parts, request);
  if ("gaveUp" in answer) return answer;
  const written = withWorkers(parts, request, answer);
  faultPoint("handoff/written");
  const path = keep(parts, request.step, written.handoff) ?? null;
  const payload = {
    phase: "done",
    context,
    window,
    degraded: written.degraded !== undefined,
    path,
    sections: written.handoff.present(),
  } as const;
  request.onEvent(createEvent("handoff", payload, { text: path ?? "" }));
  return written;
}

/** A lost network must not cost a whole generation: the turn is tried again like any other. */
async function askSession(
  parts: RuntimeParts,
  request: HandoffRequest,
): Promise<WrittenHandoff | NotWritten> {
  const { sessionId, context, onEvent, onSpawn, onCost, signal } = request;
  const prompt = handoffPrompt(parts.lang, { used: context, window: parts.handoff.window });
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, gaveUp } = await runAside(parts, {
      spec: { ...request.spec, maxBudgetUsd: undefined },
      turn: { prompt, resume: sessionId },
      onEvent,
      onSpawn,
      onCost,
      signal,
    });
    request.onOutcome(outcome);
    signal?.throwIfAborted();
    if (outcome.ok) return read(parts, request, outcome);
    if (gaveUp !== undefined) return { gaveUp };
    const error = outcome.error ?? "";
    const say = runtimeMessages[parts.lang];
    if (isOverflow(error, ...outcome.errors)) return degraded(parts, request, say.handoffOverflow, error);
    const why = await waitToRetry(parts, { attempt, error, onEvent, signal });
    if (why !== undefined) return degraded(parts, request, say.handoffUnanswered, why);
  }
}

function read(parts: RuntimeParts, request: HandoffRequest, outcome: QueryOutcome): WrittenHandoff {
  const handoff = Handoff.parse(outcome.closing);
  if (handoff.complete()) {
    return { handoff: handoff.with({ step: request.step, lang: parts.lang }), degraded: undefined };
  }
  const missing = handoff.missing(parts.lang).join(", ");
  return degraded(parts, request, runtimeMessages[parts.lang].handoffIncomplete(missing));
}

/** `why` is for the successor, who is not to read what the API said; `cause` is for people. */
function degraded(parts: RuntimeParts, request: HandoffRequest, why: string, cause = why): WrittenHandoff {
  return { handoff: degradedHandoff(request.step, request.task, { why, lang: parts.lang }), degraded: cause };
}

/** The session was told nothing of the end of its workers, so it cannot have written of them. */
function withWorkers(
  parts: RuntimeParts,
  { workers }: HandoffRequest,
  written: WrittenHandoff,
): WrittenHandoff {
  if (workers.length === 0) return written;
  const names = workers.map(({ id, role }) => `${role} (${id})`).join(", ");
  const scene = joinParagraphs(written.handoff.scene, runtimeMessages[parts.lang].workersCut(names));
  return { ...written, handoff: written.handoff.with({ scene }) };
}

/** Writes the document into the notes, the one before it into the archive; without a workbench nowhere. */
function keep(parts: RuntimeParts, step: string, handoff: Handoff): string | undefined {
  if (parts.workbench === undefined) return undefined;
  const names = NAMES[parts.lang];
  parts.workbench.ensure();
  const path = join(parts.workbench.notes, names.handoffFile(step));
  replaceDocument(path, {
    text: handoff.toMarkdown(),
    epochMs: parts.clock.now(),
    archiveAs: join(parts.workbench.notes, "archive", names.handoffArchive, fileSafe(step)),
  });
  return path;
}
