import { buildOptions } from "../agent/options.ts";
import { type QueryControl, runQuery } from "../agent/query.ts";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { errorText } from "../base/errors.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { ContextWatch } from "./context-watch.ts";
import { guardsFor } from "./guards-for.ts";
import { openLane, type QueryLane } from "./lane.ts";
import type { RuntimeParts } from "./parts.ts";

/** What the next query of a step says, and to which session. */
export interface Turn {
  readonly prompt: string;
  readonly resume?: string | undefined;
  readonly fork?: boolean | undefined;
  readonly resumeAt?: string | undefined;
}

/** Why flower itself broke a turn off; undefined when it ended by itself. */
export type Break = { readonly by: "human"; readonly words: string } | { readonly by: "context" };

export interface AttemptEnd {
  readonly outcome: QueryOutcome;
  readonly brokenBy: Break | undefined;
  /** Why the gateway stopped waiting for the API: it has waited as long as the policy allows. */
  readonly gaveUp: string | undefined;
}

export interface Attempt {
  readonly spec: AgentSpec;
  readonly turn: Turn;
  readonly onEvent: EventSink;
  readonly onSession: (sessionId: string) => void;
  /** Called with the directory in which the CLI keeps its own files. */
  readonly onSpawn: (configDirectory: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called when the context comes near the handoff, at each reply that is. */
  readonly onNear: (context: number) => void;
}

/** Runs one query of a step with its guards, watches its context, and lets a human break it off. */
export async function runAttempt(parts: RuntimeParts, attempt: Attempt): Promise<AttemptEnd> {
  const watch = new ContextWatch(parts.handoff, attempt.onNear);
  let brokenBy: Break | undefined;
  let control: QueryControl | undefined;
  const detach = parts.interrupts.attach((words) => {
    brokenBy = { by: "human", words };
    control?.interrupt();
  });
  const lane = laneFor(parts, attempt.onEvent);
  try {
    const outcome = await runQuery({
      options: optionsFor(parts, attempt, lane),
      prompt: attempt.turn.prompt,
      clock: parts.clock,
      signal: attempt.signal,
      onSession: attempt.onSession,
      onSpawn: attempt.onSpawn,
      onStart: (started) => {
        control = started;
      },
      onEvent: (event, running) => {
        attempt.onEvent(event);
        if (watch.isDue(event) && brokenBy === undefined) {
          brokenBy = { by: "context" };
          running.interrupt();
        }
      },
    });
    return { outcome, brokenBy, gaveUp: outcome.ok ? undefined : lane?.gaveUp };
  } finally {
    detach();
    lane?.close();
  }
}

/**
 * One query beside the step's own conversation: the session writes its handoff. Nothing of it is shown, no
 * threshold and no human breaks it off: a half-written document would cost the successor all that was known.
 */
export async function runAside(
  parts: RuntimeParts,
  aside: Pick<Attempt, "spec" | "turn" | "onEvent" | "signal">,
): Promise<QueryOutcome> {
  const lane = laneFor(parts, aside.onEvent);
  try {
    return await runQuery({
      options: optionsFor(parts, aside, lane),
      prompt: aside.turn.prompt,
      clock: parts.clock,
      signal: aside.signal,
    });
  } finally {
    lane?.close();
  }
}

function laneFor(parts: RuntimeParts, onEvent: EventSink): QueryLane | undefined {
  const gateway = parts.gateway();
  return gateway === undefined ? undefined : openLane(gateway, parts.env, onEvent);
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
