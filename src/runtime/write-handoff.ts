import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { ensureDirectory } from "../base/files.ts";
import { stamp } from "../base/ids.ts";
import { degradedHandoff, Handoff } from "../documents/handoff.ts";
import type { EventSink } from "../events/event.ts";
import { createEvent } from "../events/event.ts";
import { handoffPrompt } from "../lang/handoff-prompt.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { fileSafe, NAMES } from "../lang/names.ts";
import { runAttempt } from "./attempt.ts";
import type { RuntimeParts } from "./parts.ts";

export interface WrittenHandoff {
  readonly handoff: Handoff;
  /** Why the session could not write it itself; undefined when it did. */
  readonly degraded: string | undefined;
  /** The turn that wrote it, for the books; undefined when none was run. */
  readonly outcome: QueryOutcome | undefined;
}

/**
 * Makes the document with which a fresh session takes over. The session that is full writes it itself, in a
 * turn that no threshold and no budget ends and that is not shown; one that has overflowed cannot, so the
 * document is put together from the task.
 */
export async function writeHandoff(
  parts: RuntimeParts,
  request: {
    spec: AgentSpec;
    step: string;
    /** What the step was asked to do at first. */
    task: string;
    sessionId: string;
    context: number;
    overflowed: boolean;
    onEvent: EventSink;
    signal?: AbortSignal | undefined;
  },
): Promise<WrittenHandoff> {
  const { window } = parts.handoff;
  const { context } = request;
  request.onEvent(createEvent("handoff", { phase: "writing", context, window }));
  const written = request.overflowed
    ? degraded(parts, request, runtimeMessages[parts.lang].handoffOverflow, undefined)
    : await askSession(parts, request);
  const path = keep(parts, request.step, written.handoff);
  request.onEvent(
    createEvent(
      "handoff",
      {
        phase: "done",
        context,
        window,
        degraded: written.degraded !== undefined,
        path: path ?? null,
        sections: written.handoff.present(),
      },
      { text: path ?? "" },
    ),
  );
  return written;
}

async function askSession(
  parts: RuntimeParts,
  request: Parameters<typeof writeHandoff>[1],
): Promise<WrittenHandoff> {
  const { outcome } = await runAttempt(parts, {
    spec: { ...request.spec, maxBudgetUsd: undefined },
    turn: {
      prompt: handoffPrompt(parts.lang, { used: request.context, window: parts.handoff.window }),
      resume: request.sessionId,
    },
    onEvent: () => undefined,
    onSession: () => undefined,
    signal: request.signal,
    exempt: true,
  });
  const handoff = Handoff.parse(outcome.closing);
  if (outcome.ok && handoff.complete()) {
    return { handoff: handoff.with({ step: request.step, lang: parts.lang }), degraded: undefined, outcome };
  }
  const why = outcome.error ?? runtimeMessages[parts.lang].handoffIncomplete(handoff.missing().join(", "));
  return degraded(parts, request, why, outcome);
}

function degraded(
  parts: RuntimeParts,
  request: Parameters<typeof writeHandoff>[1],
  why: string,
  outcome: QueryOutcome | undefined,
): WrittenHandoff {
  return {
    handoff: degradedHandoff(request.step, request.task, { why, lang: parts.lang }),
    degraded: why,
    outcome,
  };
}

/** Writes the document into the notes, the one before it into the archive; without a workbench nowhere. */
function keep(parts: RuntimeParts, step: string, handoff: Handoff): string | undefined {
  if (parts.workbench === undefined) return undefined;
  const names = NAMES[parts.lang];
  parts.workbench.ensure();
  const path = join(parts.workbench.notes, names.handoffFile(step));
  if (existsSync(path)) {
    const archive = join(parts.workbench.notes, "archive", names.handoffArchive);
    ensureDirectory(archive);
    renameSync(path, freePath(archive, `${fileSafe(step)}-${stamp(parts.clock.now())}`));
  }
  handoff.write(path);
  return path;
}

function freePath(directory: string, name: string): string {
  let path = join(directory, `${name}.md`);
  for (let n = 2; existsSync(path); n += 1) path = join(directory, `${name}-${n}.md`);
  return path;
}
