import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKResultMessage,
  SDKToolProgressMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import { firstCodePoints } from "../base/text.ts";
import { createEvent, type Event, type Source } from "../events/event.ts";

/** Characters of a tool call's subject and of a tool result that an event carries (SPEC 14). */
const CALL_CHARS = 200;
const RESULT_CHARS = 500;

/** The model name the CLI gives to messages it wrote itself (2.1.332). */
const SYNTHETIC_MODEL = "<synthetic>";

/**
 * One message of the SDK as events, in order; the only translation between its world and ours.
 *
 * Contract: never throws; a message without a name here becomes `unknown` with the message in `raw`.
 */
export function normalize(message: SDKMessage): Event[] {
  try {
    return eventsOf(message);
  } catch {
    // Not shaped as its type says: another version of the CLI. Better told as unknown than lost.
    return [createEvent("unknown", { type: message.type }, { raw: message })];
  }
}

function eventsOf(message: SDKMessage): Event[] {
  switch (message.type) {
    case "assistant":
      return assistantEvents(message);
    case "user":
      return userEvents(message);
    case "result":
      return [resultEvent(message)];
    case "system":
      return [systemEvent(message)];
    case "tool_progress":
      return [progressEvent(message)];
    default:
      return [createEvent("unknown", { type: message.type }, { raw: message })];
  }
}

/** Tokens in the context of the session that sent this message (SPEC 4). */
export function contextOf(message: SDKAssistantMessage): number {
  const { usage } = message.message;
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/** An API error that the CLI wrote in the place of a reply. */
export function isSynthetic(message: SDKAssistantMessage): boolean {
  return message.message.model === SYNTHETIC_MODEL || message.error !== undefined;
}

function assistantEvents(message: SDKAssistantMessage): Event[] {
  const source: Source = { ...sourceOf(message), context: contextOf(message) };
  if (isSynthetic(message)) {
    const text = message.message.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    return [createEvent("error", { ...source, synthetic: true }, { text, raw: message })];
  }
  return message.message.content.flatMap((block): Event[] => {
    switch (block.type) {
      case "text":
        return [createEvent("text", source, { text: block.text, raw: message })];
      case "thinking":
        return [createEvent("thinking", source, { text: block.thinking, raw: message })];
      case "tool_use":
        return [
          createEvent(
            "tool_call",
            { ...source, id: block.id, input: block.input },
            { text: firstCodePoints(subjectOf(block.input), CALL_CHARS), tool: block.name, raw: message },
          ),
        ];
      default:
        return [createEvent("unknown", { type: block.type }, { raw: message })];
    }
  });
}

/** What a call is about, for one line: a path, a command, a pattern, else the input's first string. */
export function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = new Map<string, unknown>(Object.entries(input));
  const named = [
    "file_path",
    "notebook_path",
    "path",
    "command",
    "pattern",
    "query",
    "url",
    "description",
    "question",
  ];
  for (const name of named) {
    const value = fields.get(name);
    if (typeof value === "string") return value;
  }
  for (const value of fields.values()) if (typeof value === "string") return value;
  return "";
}

function userEvents(message: SDKUserMessage): Event[] {
  const source = sourceOf(message);
  const { content } = message.message;
  if (typeof content === "string") return [createEvent("prompt", source, { text: content, raw: message })];
  return content.flatMap((block): Event[] => {
    if (block.type === "text") return [createEvent("prompt", source, { text: block.text, raw: message })];
    if (block.type !== "tool_result") return [createEvent("unknown", { type: block.type }, { raw: message })];
    const payload = { ...source, tool_use_id: block.tool_use_id, is_error: block.is_error ?? false };
    const text = firstCodePoints(resultText(block.content), RESULT_CHARS);
    return [createEvent("tool_result", payload, { text, raw: message })];
  });
}

function resultText(content: string | readonly { type: string; text?: string }[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}

function resultEvent(message: SDKResultMessage): Event {
  const payload = {
    session_id: message.session_id,
    cost_usd: message.total_cost_usd,
    num_turns: message.num_turns,
    is_error: message.is_error,
  };
  return createEvent("result", payload, { text: resultMessageText(message), raw: message });
}

/** The closing words of a result, or what went wrong. An API failure is `success` with `is_error` (HARNESS 6). */
export function resultMessageText(message: SDKResultMessage): string {
  if (message.subtype === "success") return message.result;
  return message.errors.length > 0 ? message.errors.join("\n") : message.subtype;
}

/** A retry of a subagent's request is told only here (CLI 2.1.332); the rest are heartbeats. */
function progressEvent(message: SDKToolProgressMessage): Event {
  const retry = message.subagent_retry;
  if (retry === undefined) return createEvent("unknown", { type: message.type }, { raw: message });
  const payload = {
    phase: "cli",
    attempt: retry.attempt,
    max_attempts: retry.max_retries,
    wait_ms: retry.retry_delay_ms,
    error: cliError(retry.error_status, retry.error_category),
    agent_id: retry.agent_id,
  } as const;
  return createEvent("retry", payload, { raw: message });
}

function cliError(status: number | null, name: string): string {
  return status === null ? name : `${status} ${name}`;
}

function systemEvent(message: Extract<SDKMessage, { type: "system" }>): Event {
  switch (message.subtype) {
    case "api_retry":
      return createEvent(
        "retry",
        {
          phase: "cli",
          attempt: message.attempt,
          max_attempts: message.max_retries,
          wait_ms: message.retry_delay_ms,
          error: cliError(message.error_status, message.error),
        },
        { raw: message },
      );
    case "compact_boundary": {
      const { trigger, pre_tokens, post_tokens } = message.compact_metadata;
      const payload = {
        subtype: message.subtype,
        trigger,
        pre_tokens,
        post_tokens: post_tokens ?? null,
        micro: false,
      };
      return createEvent("reset", payload, { raw: message });
    }
    case "task_started":
    case "task_progress":
      return taskEvent(message, message.description);
    case "task_notification":
      return taskEvent(message, message.summary);
    case "task_updated":
      return taskEvent(message, message.patch.status ?? "");
    case "mirror_error":
      return createEvent("system", { subtype: message.subtype }, { text: message.error, raw: message });
    default:
      return createEvent("system", { subtype: message.subtype }, { text: message.subtype, raw: message });
  }
}

type TaskMessage = Extract<
  SDKMessage,
  { subtype: "task_started" | "task_progress" | "task_notification" | "task_updated" }
>;

function taskEvent(message: TaskMessage, text: string): Event {
  const payload = {
    subtype: message.subtype,
    task_id: message.task_id,
    ...("tool_use_id" in message ? { tool_use_id: message.tool_use_id } : {}),
    ...("subagent_type" in message ? { subagent: message.subagent_type } : {}),
    // Of a subagent that works for another one.
    ...("parent_task_id" in message ? { parent_task_id: message.parent_task_id } : {}),
    ...("status" in message ? { status: message.status } : {}),
    ...("patch" in message && message.patch.status !== undefined ? { status: message.patch.status } : {}),
    ...("last_tool_name" in message ? { last_tool_name: message.last_tool_name } : {}),
  };
  return createEvent("task", payload, { text, raw: message });
}

function sourceOf(message: SDKAssistantMessage | SDKUserMessage): Source {
  if (message.parent_tool_use_id === null) return {};
  return {
    parent_tool_use_id: message.parent_tool_use_id,
    ...("subagent_type" in message && typeof message.subagent_type === "string"
      ? { subagent: message.subagent_type }
      : {}),
    ...("agent_id" in message && typeof message.agent_id === "string" ? { agent_id: message.agent_id } : {}),
  };
}
