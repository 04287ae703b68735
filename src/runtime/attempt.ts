import { buildOptions } from "../agent/options.ts";
import type { QueryControl, QueryRun } from "../agent/query.ts";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import type { Words } from "../agent/talk.ts";
import { errorText } from "../base/errors.ts";
import { joinParagraphs } from "../base/text.ts";
import { createEvent, type EventSink, isMainReply } from "../events/event.ts";
import { INTERRUPT_NOTE } from "../lang/prompts.ts";
import { ContextWatch } from "./context-watch.ts";
import { guardsFor } from "./guards-for.ts";
import { runKeepingRows } from "./keep-rows.ts";
import { openLane, type QueryLane } from "./lane.ts";
import { deliverMail, type MailSource } from "./mail-delivery.ts";
import type { RuntimeParts } from "./parts.ts";
import { countCost } from "./query-cost.ts";

/** What the next query of a step says, and to which session. */
export interface Turn {
  readonly prompt: string;
  readonly resume?: string | undefined;
  readonly fork?: boolean | undefined;
  readonly resumeAt?: string | undefined;
}

/**
 * What keeps the end of an attempt from being its step's: words of a human that no model has, because the process
 * was gone or could not spare its subagents; or a turn that was cut because the context is full.
 */
export type Break = { readonly by: "human"; readonly words: string } | { readonly by: "context" };

export interface AttemptEnd {
  readonly outcome: QueryOutcome;
  readonly brokenBy: Break | undefined;
  /** Why the gateway stopped waiting for the API: it has waited as long as the policy allows. */
  readonly gaveUp: string | undefined;
  /** Words of a human that stand in the session, but in a request that the model did not answer; often empty. */
  readonly unread: string;
}

export interface Attempt {
  readonly spec: AgentSpec;
  readonly turn: Turn;
  readonly onEvent: EventSink;
  readonly onSession: (sessionId: string) => void;
  /** Called with the directory in which the CLI keeps its own files. */
  readonly onSpawn: (configDirectory: string) => void;
  /** Called with the US dollars that it has cost so far, each time it is known to have cost more. */
  readonly onCost: (usd: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Where a human's unasked words come from while it runs. */
  readonly mail?: MailSource | undefined;
  /** Called when the context comes near the handoff, at each reply that is. */
  readonly onNear: (context: number) => void;
}

/** Runs one query of a step with its guards, watches its context, and lets a human speak into it. */
export async function runAttempt(parts: RuntimeParts, attempt: Attempt): Promise<AttemptEnd> {
  const lane = laneFor(parts, attempt, parts.spend.refusal);
  const watch = new ContextWatch(parts.handoff, attempt.onNear);
  const unheard = new Set<{ readonly words: string }>();
  /** In a request, and no reply has come since. */
  const unread: string[] = [];
  /** `isCut`: the turn that was broken did end broken, and nobody has spoken since. */
  const full = { isBreaking: false, isCut: false };
  let control: QueryControl | undefined;
  let stopMail: (() => void) | undefined;
  const detach = parts.interrupts.attach((words) => {
    const said = { words };
    unheard.add(said);
    full.isBreaking = false;
    full.isCut = false;
    control?.interrupt({
      text: joinParagraphs(words, INTERRUPT_NOTE[parts.lang]),
      onlyIfCut: words === "",
      onTaken: () => {
        unheard.delete(said);
        unread.push(words);
      },
    });
  });
  const say = (words: Words): boolean => {
    const onTaken = (): void => {
      unread.push(words.text);
      words.onTaken();
    };
    return control?.say({ ...words, onTaken }) ?? false;
  };
  try {
    const query: QueryRun = {
      options: optionsFor(parts, attempt, lane),
      prompt: attempt.turn.prompt,
      clock: parts.clock,
      signal: attempt.signal,
      onSession: (sessionId) => {
        attempt.onSession(sessionId);
        if (attempt.mail !== undefined) stopMail ??= deliverMail(attempt.mail, say);
      },
      onSpawn: attempt.onSpawn,
      onStart: (started) => {
        control = started;
      },
      onEvent: (event, running) => {
        attempt.onEvent(event);
        if (isMainReply(event)) unread.length = 0;
        if (event.kind === "result") full.isCut ||= full.isBreaking && event.payload.is_error;
        // Also in the turns that report of background agents.
        if (!watch.isDue(event)) return;
        full.isBreaking = true;
        running.interrupt();
      },
    };
    const outcome = await countCost(parts.spend, lane, () =>
      runKeepingRows(parts, query, rowsLost(attempt.onEvent)),
    );
    const isFull = full.isCut || (full.isBreaking && !outcome.ok);
    const words = [...unheard].map((said) => said.words);
    const brokenBy: Break | undefined =
      words.length > 0
        ? { by: "human", words: joinParagraphs(...words) }
        : isFull
          ? { by: "context" }
          : undefined;
    const gaveUp = outcome.ok ? undefined : lane?.gaveUp;
    return { outcome, brokenBy, gaveUp, unread: joinParagraphs(...unread) };
  } finally {
    detach();
    stopMail?.();
    await lane?.close();
  }
}

/**
 * One query beside the step's own conversation: the session writes its handoff. Nothing of it is shown, no
 * threshold and no human breaks it off: a half-written document would cost the successor all that was known.
 */
export async function runAside(
  parts: RuntimeParts,
  aside: Pick<Attempt, "spec" | "turn" | "onEvent" | "onSpawn" | "onCost" | "signal">,
): Promise<Pick<AttemptEnd, "outcome" | "gaveUp">> {
  // Exempt from the budget: without the document all that was paid for is lost.
  const lane = laneFor(parts, aside, () => undefined);
  try {
    const query: QueryRun = {
      options: optionsFor(parts, aside, lane),
      prompt: aside.turn.prompt,
      clock: parts.clock,
      signal: aside.signal,
      onSpawn: aside.onSpawn,
    };
    const outcome = await countCost(parts.spend, lane, () =>
      runKeepingRows(parts, query, rowsLost(aside.onEvent)),
    );
    return { outcome, gaveUp: outcome.ok ? undefined : lane?.gaveUp };
  } finally {
    await lane?.close();
  }
}

function rowsLost(onEvent: EventSink): (thrown: unknown) => void {
  return (thrown) =>
    onEvent(createEvent("system", { subtype: "rows_lost" }, { text: errorText(thrown), raw: thrown }));
}

function laneFor(
  parts: RuntimeParts,
  { onEvent, onCost }: Pick<Attempt, "onEvent" | "onCost">,
  refuse: () => string | undefined,
): QueryLane | undefined {
  const gateway = parts.gateway();
  if (gateway === undefined) return undefined;
  return openLane(gateway, { base: parts.env, onEvent, refuse, onCost });
}

function optionsFor(
  parts: RuntimeParts,
  { spec, turn, onEvent }: Pick<Attempt, "spec" | "turn" | "onEvent">,
  lane: QueryLane | undefined,
): ReturnType<typeof buildOptions> {
  const workbench = (spec.workbench ?? true) ? parts.workbench : undefined;
  return buildOptions(spec, {
    cwd: parts.workspace,
    env: parts.env,
    configDirectory: parts.configDirectory,
    sessionStore: parts.store,
    resume: turn.resume,
    fork: turn.fork,
    resumeAt: turn.resumeAt,
    portable: parts.portable,
    plugins: parts.plugins,
    // Also for roles without the index: a judge has to read the artifacts it judges.
    addDirs: parts.workbench?.external ? [parts.workbench.root] : [],
    prelude: workbench?.promptBlock(),
    hooks: guardsFor(parts, spec, (thrown) =>
      onEvent(createEvent("system", { subtype: "guard_failed" }, { text: errorText(thrown), raw: thrown })),
    ),
    handoff: parts.handoff.enabled,
    markers: parts.markers,
    endpoint: lane?.endpoint,
  });
}
