import { oneLine } from "../base/text.ts";

/**
 * Everything a front end learns about a run arrives as an `Event`; it never sees a message of the SDK.
 *
 * Payload keys are snake_case, as in the original, because events are also written to disk as JSON lines.
 */

/** Whose message it was. `subagent` is the role name; both are absent on the main thread. */
export interface Source {
  readonly subagent?: string | undefined;
  readonly parent_tool_use_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** Tokens in the context of the session that spoke: input + cache read + cache creation. */
  readonly context?: number | undefined;
}

export interface EventPayloads {
  /** Prose of a model. */
  readonly text: Source;
  readonly thinking: Source;
  /** `tool` is the tool's name; `text` the file path, command or pattern, at most 200 characters. */
  readonly tool_call: Source & { readonly id: string; readonly input: unknown };
  /** `text` is at most 500 characters of the result. */
  readonly tool_result: Source & { readonly tool_use_id: string; readonly is_error: boolean };
  /** A subagent started, moved on or ended; or flower has something to tell about the task at hand. */
  readonly task: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
  /** The CLI compacted its context. */
  readonly reset: {
    readonly subtype: string;
    readonly trigger: string | null;
    readonly pre_tokens: number | null;
    readonly post_tokens: number | null;
    readonly micro: boolean;
  };
  /** A query ended a turn. Cost in US dollars, cumulative over the query. */
  readonly result: {
    readonly session_id: string | null;
    readonly cost_usd: number;
    readonly num_turns: number;
    readonly is_error: boolean;
  };
  /** An API error that the CLI put in the place of a reply. Never prose. */
  readonly error: Source & { readonly synthetic: true };
  /** What was sent to the model as a user. */
  readonly prompt: Source;
  /** A message this version has no name for; `raw` holds it. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** Waiting for the network or before another attempt. Times in milliseconds. */
  readonly retry: {
    /**
     * `lost`: the endpoint cannot be reached; `online`: it answers again; `backoff`: a pause before another attempt;
     * `gave_up`: the gateway waited long enough; `cli`: a retry of the CLI's own.
     */
    readonly phase: "lost" | "online" | "backoff" | "gave_up" | "cli";
    readonly attempt: number;
    /** Null where time is the limit and not a number. */
    readonly max_attempts: number | null;
    readonly wait_ms: number | null;
    readonly error: string;
    /** Who waits: a subagent's id, null for the main thread; absent where the step as a whole does. */
    readonly agent_id?: string | null;
    /** Since when, milliseconds since the epoch. */
    readonly since_ms?: number;
  };
  readonly handoff: {
    readonly phase: "near" | "writing" | "done";
    readonly context: number;
    readonly window: number;
    readonly degraded?: boolean;
    readonly path?: string | null;
    readonly sections?: readonly string[];
  };
  /** A step of a workflow begins. */
  readonly step: {
    readonly index: number;
    readonly total: number;
    readonly resumed: boolean;
    readonly woke: number;
  };
  /** A question or unasked words of the human changed state. `kind` is `question` or `mail`. */
  readonly ask: {
    readonly kind: "question" | "mail";
    readonly id: string;
    readonly state: string;
    readonly options: readonly string[];
    readonly answer: string | null;
    readonly waited_s: number;
  };
}

export type EventKind = keyof EventPayloads;

export interface EventOf<K extends EventKind> {
  readonly kind: K;
  /** For people; may be long and hold anything a model or tool printed: strip it before a terminal sees it. */
  readonly text: string;
  /** The tool's name on tool_call, the step's on step, else empty. */
  readonly tool: string;
  readonly payload: EventPayloads[K];
  /** The message it was made from, for whoever needs more; undefined when flower made the event itself. */
  readonly raw: unknown;
  /** One readable line. */
  toString(): string;
}

export type Event = { readonly [K in EventKind]: EventOf<K> }[EventKind];

/** The model has spoken on the main thread, so it has read what came before. */
export function isMainReply({ kind, payload }: Event): boolean {
  if (kind !== "text" && kind !== "thinking" && kind !== "tool_call") return false;
  return !("parent_tool_use_id" in payload) || payload.parent_tool_use_id === undefined;
}

/** Where events go. Contract: whoever calls a sink survives its exceptions and collects them. */
export type EventSink = (event: Event) => void;

/** One readable line of an event, safe for a terminal whatever a model put into it. */
function describe(event: Omit<EventOf<EventKind>, "toString">): string {
  const { payload } = event;
  const subagent =
    "subagent" in payload && typeof payload.subagent === "string" ? `${payload.subagent} ` : "";
  const tool = event.tool === "" ? "" : ` ${event.tool}`;
  return oneLine(`[${subagent}${event.kind}${tool}] ${event.text}`);
}

/** Makes an event of `kind`. The result is frozen; `String(event)` is a readable line, JSON holds only data. */
export function createEvent<K extends EventKind>(
  kind: K,
  payload: EventPayloads[K],
  rest: { text?: string; tool?: string; raw?: unknown } = {},
): EventOf<K> {
  const data = { kind, text: rest.text ?? "", tool: rest.tool ?? "", payload, raw: rest.raw };
  return Object.freeze(Object.defineProperty(data, "toString", { value: () => describe(data) }));
}
