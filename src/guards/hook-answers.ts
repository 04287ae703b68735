import type { Lang } from "../lang/lang.ts";
import { guardMessages } from "../lang/messages/guards.ts";
import type { HookCallback, HookInput, HookMatcher, HookOutput } from "./hook-types.ts";
import { type ToolCall, toolCallOf } from "./tool-call.ts";

/** What a guard says before a call. `rewrite` lets it through with another input. */
export type Decision =
  | { readonly kind: "pass" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "rewrite"; readonly input: Readonly<Record<string, unknown>> };

export const PASS: Decision = { kind: "pass" };

export function deny(reason: string): Decision {
  return { kind: "deny", reason };
}

/** Told of every failure inside a guard. What it throws itself is dropped: it must not open a wall. */
export type OnGuardError = (thrown: unknown) => void;

export interface GuardOptions {
  /** The directory's language. Default `en`. */
  readonly lang?: Lang | undefined;
  readonly onError?: OnGuardError | undefined;
}

/**
 * Carries a decision to the SDK before a tool runs.
 *
 * Contract: the callback never rejects. A decision that throws is a denial, because the SDK takes a failing hook
 * for "no answer" and runs the tool; `onFailure: "block"` says the same to the CLI, in case the answer itself is
 * lost on its way (both seen with SDK 0.3.332).
 */
export function beforeTool(
  tools: readonly string[],
  decide: (call: ToolCall) => Decision,
  options: GuardOptions = {},
): HookMatcher {
  const callback: HookCallback = async (input) => {
    try {
      return preToolUseOutput(decide(toolCallOf(input)));
    } catch (thrown) {
      report(options.onError, thrown);
      const say = guardMessages[options.lang ?? "en"];
      return preToolUseOutput(deny(say.guardFailed(toolIn(input) ?? say.thisTool)));
    }
  };
  return { matcher: tools.join("|"), hooks: [callback], onFailure: "block" };
}

/**
 * Carries work to the SDK after a tool ran. The work returns the output that replaces the tool's own, or
 * undefined to leave it alone.
 *
 * Contract: the callback never rejects. Work that throws changes nothing; the failure goes to `onError`.
 */
export function afterTool(
  tools: readonly string[],
  work: (call: ToolCall, response: unknown) => unknown,
  options: { readonly onError?: OnGuardError | undefined } = {},
): HookMatcher {
  const callback: HookCallback = async (input) => {
    try {
      const updatedToolOutput = work(toolCallOf(input), input.tool_response);
      if (updatedToolOutput === undefined) return {};
      return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } };
    } catch (thrown) {
      report(options.onError, thrown);
      return {};
    }
  };
  return { matcher: tools.join("|"), hooks: [callback] };
}

/** Calls `onError` without letting it hurt the guard. */
export function report(onError: OnGuardError | undefined, thrown: unknown): void {
  try {
    onError?.(thrown);
  } catch {
    // A reporter that fails has nobody left to report to.
  }
}

function preToolUseOutput(decision: Decision): HookOutput {
  switch (decision.kind) {
    case "pass":
      return {};
    case "deny":
      return {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: decision.reason,
        },
      };
    case "rewrite":
      return {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { ...decision.input },
        },
      };
  }
}

/** The tool's name for the refusal, from an input that has just made a guard fail: looking at it may fail as well. */
function toolIn(input: HookInput): string | undefined {
  try {
    return toolCallOf(input).tool;
  } catch {
    return undefined;
  }
}
