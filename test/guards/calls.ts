import type { HookInput, HookMatcher, HookOutput } from "../../src/guards/hook-types.ts";
import type { ToolCall } from "../../src/guards/tool-call.ts";

/** A call of the main thread, as a decision sees it. */
export function call(
  tool: string,
  input: Record<string, unknown> = {},
  rest: Partial<ToolCall> = {},
): ToolCall {
  return { tool, input, mainThread: true, cwd: undefined, ...rest };
}

/** The same call, made by a subagent. */
export function subagentCall(tool: string, input: Record<string, unknown> = {}): ToolCall {
  return call(tool, input, { mainThread: false });
}

/** What the SDK tells a hook before a call. */
export function beforeCall(tool: string, input: unknown, rest: Partial<HookInput> = {}): HookInput {
  return {
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_1",
    ...rest,
  };
}

/** What the SDK tells a hook after a call. */
export function afterCall(
  tool: string,
  input: unknown,
  response: unknown,
  rest: Partial<HookInput> = {},
): HookInput {
  return { ...beforeCall(tool, input, rest), hook_event_name: "PostToolUse", tool_response: response };
}

/** Runs the one callback of a matcher. */
export async function run(matcher: HookMatcher | undefined, input: HookInput): Promise<HookOutput> {
  const [callback, ...others] = matcher?.hooks ?? [];
  if (callback === undefined || others.length > 0) throw new Error("expected a matcher with one hook");
  return await callback(input, input.tool_use_id, { signal: new AbortController().signal });
}

/** The reason of a denial, or undefined for any other answer. */
export function denial(output: HookOutput): string | undefined {
  const specific = output.hookSpecificOutput;
  if (specific?.hookEventName !== "PreToolUse" || specific.permissionDecision !== "deny") return undefined;
  return specific.permissionDecisionReason;
}

/** The replaced output, or undefined when the hook changed nothing. */
export function replaced(output: HookOutput): unknown {
  const specific = output.hookSpecificOutput;
  return specific?.hookEventName === "PostToolUse" ? specific.updatedToolOutput : undefined;
}

/** An input whose parts throw when they are looked at. */
export function brokenInput(): HookInput {
  return {
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    get tool_input(): unknown {
      throw new Error("boom");
    },
  };
}
