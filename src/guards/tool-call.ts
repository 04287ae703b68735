import { FlowerError } from "../base/errors.ts";
import type { HookInput } from "./hook-types.ts";

/** A tool call as the decisions see it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Made by the session itself, not by one of its subagents. */
  readonly mainThread: boolean;
  /** The directory the call is made in; differs from the workspace inside a worktree. */
  readonly cwd: string | undefined;
}

/**
 * Reads a hook's input. Throws `guards/malformed-input` when it is no tool call: a guard that cannot see what it
 * guards must not pretend to have looked.
 */
export function toolCallOf(input: HookInput): ToolCall {
  if (typeof input.tool_name !== "string" || input.tool_name === "") {
    throw new FlowerError("guards/malformed-input", "a hook was called without the name of a tool");
  }
  return {
    tool: input.tool_name,
    input: isRecord(input.tool_input) ? input.tool_input : {},
    // The id is what tells them apart; the type is set on the main thread too when the session runs as an agent.
    mainThread: input.agent_id === undefined || input.agent_id === "",
    cwd: input.cwd,
  };
}

/** An object with string keys; arrays are not. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
