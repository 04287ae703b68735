import { normalize } from "../agent/normalize.ts";
import { buildOptions } from "../agent/options.ts";
import { type QueryControl, runQuery } from "../agent/query.ts";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { SDKMessage } from "../agent/sdk-types.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { errorText } from "../base/errors.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { guardsFor } from "./guards-for.ts";
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
}

export interface Attempt {
  readonly spec: AgentSpec;
  readonly turn: Turn;
  readonly onEvent: EventSink;
  readonly onSession: (sessionId: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** The context threshold does not apply: the turn that writes the handoff must be possible. */
  readonly exempt?: boolean;
  /** Whether the near warning of this session was given already; true silences it. */
  readonly warned?: boolean;
}

/** Runs one query of a step, with its guards, and watches the context while it runs. */
export async function runAttempt(parts: RuntimeParts, attempt: Attempt): Promise<AttemptEnd> {
  const watch = new ContextWatch(parts, attempt);
  let brokenBy: Break | undefined;
  let control: QueryControl | undefined;
  let sessionId: string | undefined;

  const detach = parts.interrupts.attach((words) => {
    brokenBy = { by: "human", words };
    control?.interrupt();
  });
  try {
    const outcome = await runQuery({
      options: optionsFor(parts, attempt),
      prompt: attempt.turn.prompt,
      clock: parts.clock,
      signal: attempt.signal,
      onStart: (started) => {
        control = started;
        if (brokenBy !== undefined) started.interrupt();
      },
      onMessage: (message, running) => {
        if ("session_id" in message && message.session_id !== undefined && message.session_id !== sessionId) {
          sessionId = message.session_id;
          attempt.onSession(sessionId);
        }
        for (const event of normalize(message)) attempt.onEvent(event);
        if (brokenBy === undefined && watch.isDue(message, running.context)) {
          brokenBy = { by: "context" };
          running.interrupt();
        }
      },
    });
    return { outcome, brokenBy };
  } finally {
    detach();
  }
}

function optionsFor(parts: RuntimeParts, attempt: Attempt): ReturnType<typeof buildOptions> {
  const { spec, turn } = attempt;
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
      attempt.onEvent(
        createEvent("system", { subtype: "guard_failed" }, { text: errorText(thrown), raw: thrown }),
      ),
    ),
    handoff: parts.handoff.enabled,
    markers: parts.markers,
  });
}

/** Tells when the context of the main thread has reached the thresholds of the handoff policy. */
class ContextWatch {
  readonly #parts: RuntimeParts;
  readonly #attempt: Attempt;
  #warned: boolean;
  /** Calls of the main thread that have no result yet: a turn is broken between them, not within. */
  readonly #open = new Set<string>();

  constructor(parts: RuntimeParts, attempt: Attempt) {
    this.#parts = parts;
    this.#attempt = attempt;
    this.#warned = attempt.warned ?? false;
  }

  isDue(message: SDKMessage, context: number): boolean {
    const policy = this.#parts.handoff;
    if (!policy.enabled || this.#attempt.exempt) return false;
    if (message.type === "assistant" && message.parent_tool_use_id === null) {
      for (const block of message.message.content) if (block.type === "tool_use") this.#open.add(block.id);
      if (context >= policy.warnAt) this.#warn(context);
      return false;
    }
    return this.#closes(message) && context >= policy.at;
  }

  /** True when `message` carries the last open result of the main thread: here the turn can be broken. */
  #closes(message: SDKMessage): boolean {
    if (message.type !== "user" || message.parent_tool_use_id !== null) return false;
    const { content } = message.message;
    if (typeof content === "string") return false;
    let closed = false;
    for (const block of content) {
      if (block.type === "tool_result" && this.#open.delete(block.tool_use_id)) closed = true;
    }
    return closed && this.#open.size === 0;
  }

  #warn(context: number): void {
    if (this.#warned) return;
    this.#warned = true;
    const { window, at } = this.#parts.handoff;
    this.#attempt.onEvent(
      createEvent("handoff", { phase: "near", context, window }, { text: `${context}/${at}` }),
    );
  }
}
