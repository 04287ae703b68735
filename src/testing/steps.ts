import { deepFreeze } from "./deep-freeze.ts";
import type {
  CutPoint,
  DelayStep,
  DropStep,
  ErrorStep,
  ReplyOptions,
  ReplyStep,
  ScriptedToolCall,
  ScriptStep,
  StallStep,
} from "./script-step.ts";
import { DEFAULT_USAGE } from "./script-step.ts";

/** An answer: text, or thinking, text and tool calls in this order. `reply({})` is an answer without content. */
export function reply(answer: string | ReplyOptions): ReplyStep {
  const options: ReplyOptions = typeof answer === "string" ? { text: answer } : answer;
  const toolCalls = structuredClone(options.toolCalls ?? []);
  return deepFreeze({
    kind: "reply",
    text: options.text,
    thinking: options.thinking,
    toolCalls,
    usage: { ...DEFAULT_USAGE, ...options.usage },
    stopReason: options.stopReason ?? (toolCalls.length > 0 ? "tool_use" : "end_turn"),
    model: options.model,
    betweenBlocksMs: options.betweenBlocksMs ?? 0,
  });
}

/** An answer that calls one tool. */
export function toolCall(
  name: string,
  input: ScriptedToolCall["input"],
  options: Omit<ReplyOptions, "toolCalls"> & { readonly id?: string } = {},
): ReplyStep {
  const { id, ...answer } = options;
  return reply({ ...answer, toolCalls: [id === undefined ? { name, input } : { name, input, id }] });
}

/** An error with an HTTP status and the API's body. `type` follows from the status unless given. */
export function error(
  status: number,
  options: {
    readonly type?: string;
    readonly message?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Sent as `retry-after`, in seconds. */
    readonly retryAfterS?: number;
    readonly inStream?: boolean;
  } = {},
): ErrorStep {
  const type = options.type ?? ERROR_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  const retryAfter: Record<string, string> =
    options.retryAfterS === undefined ? {} : { "retry-after": String(options.retryAfterS) };
  return deepFreeze({
    kind: "error",
    status,
    type,
    message: options.message ?? `scripted ${type}`,
    headers: { ...retryAfter, ...options.headers },
    inStream: options.inStream ?? false,
  });
}

/** The error types that the Messages API documents for its statuses. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/**
 * The connection is cut: before anything was sent, or when half of the last block of `after` was.
 * A plain (not streamed) answer is cut after half of its body.
 */
export function drop(options: { readonly when: CutPoint; readonly after?: ReplyStep }): DropStep {
  return deepFreeze({ kind: "drop", when: options.when, after: options.after ?? reply(UNFINISHED_TEXT) });
}

/** Nothing more comes, but the connection stays open: until the client goes, or for `ms`, after which `step` goes on. */
export function stall(
  options: { readonly when?: CutPoint; readonly ms?: number; readonly step?: ReplyStep } = {},
): StallStep {
  return deepFreeze({
    kind: "stall",
    when: options.when ?? "mid-stream",
    ms: options.ms,
    step: options.step ?? reply(UNFINISHED_TEXT),
  });
}

/** `step`, but its first byte comes `ms` later. */
export function delay(ms: number, step: ScriptStep): DelayStep {
  return deepFreeze({ kind: "delay", ms, step });
}

const UNFINISHED_TEXT = "This answer was not meant to arrive as a whole.";
