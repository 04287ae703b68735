import { guardMessages } from "../lang/messages/guards.ts";
import { beforeTool, type Decision, deny, PASS } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import { type AgentsByName, type IsolateOptions, isolateDecision, tellInjected } from "./isolate-guard.ts";
import type { ToolCall } from "./tool-call.ts";
import { toolName } from "./tools.ts";

/**
 * Keeps a session's work in its turns: a call of a subagent waits for the report, so that a turn has one result and
 * every call its answer beside it, and the main thread leaves no command behind. Marked roles get their worktree in
 * the same answer (see `isolateGuard`): of two hooks that change one call's input the CLI takes the one that answers
 * last, whole, and the other's change is lost (2.1.332).
 *
 * A subagent's own background commands pass: the CLI ends them with the subagent's report.
 */
export function foregroundGuard(agents: AgentsByName, options: IsolateOptions = {}): HookMatcher {
  const decide = (call: ToolCall): Decision => {
    if (isolateDecision(call, agents).kind === "rewrite") tellInjected(options, call);
    return foregroundDecision(call, agents, options);
  };
  return beforeTool(["Agent", "Bash"], decide, options);
}

/** Sets `run_in_background` to false for subagents, with the isolation they want; denies it to the main thread's Bash. */
function foregroundDecision(
  call: ToolCall,
  agents: AgentsByName,
  options: Pick<IsolateOptions, "lang"> = {},
): Decision {
  switch (toolName(call.tool)) {
    case "Agent": {
      const isolation = isolateDecision(call, agents);
      const input = isolation.kind === "rewrite" ? isolation.input : call.input;
      return { kind: "rewrite", input: { ...input, run_in_background: false } };
    }
    case "Bash":
      if (!call.mainThread || call.input.run_in_background !== true) return PASS;
      return deny(guardMessages[options.lang ?? "en"].background);
    default:
      return PASS;
  }
}
