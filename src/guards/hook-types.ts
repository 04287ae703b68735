/**
 * Hooks as the Agent SDK takes them, in our own words: guards must not import the SDK. A type test holds both
 * sides together (test/guards/hook-types.test.ts).
 */

export type HookEventName =
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "Stop"
  | "SubagentStart"
  | "SubagentStop";

/** What a hook is told. `agent_id` is absent on the main thread, and only there. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly cwd?: string;
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly tool_use_id?: string;
}

export interface PreToolUseOutput {
  readonly hookEventName: "PreToolUse";
  readonly permissionDecision?: "allow" | "deny";
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: Record<string, unknown>;
}

export interface PostToolUseOutput {
  readonly hookEventName: "PostToolUse";
  readonly updatedToolOutput?: unknown;
}

/** `{}` means "no answer": the call goes on as if the hook were not there. */
export interface HookOutput {
  readonly hookSpecificOutput?: PreToolUseOutput | PostToolUseOutput;
}

export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookOutput>;

export interface HookMatcher {
  /** Tool names joined by `|`; absent = every tool. */
  matcher?: string;
  hooks: HookCallback[];
  /** What the CLI does when a callback fails or its answer does not arrive; `continue` (its default) lets the call through. */
  onFailure?: "continue" | "block";
}

export type HookGroups = Partial<Record<HookEventName, HookMatcher[]>>;
