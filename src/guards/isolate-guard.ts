import { beforeTool, type Decision, type GuardOptions, PASS, report } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import { wantsIsolation } from "./isolation.ts";
import type { ToolCall } from "./tool-call.ts";
import { toolName } from "./tools.ts";

/** Subagents by role name, as the session is given them. */
export type AgentsByName = Readonly<Record<string, object>>;

export interface IsolateOptions extends GuardOptions {
  /** Told the role each time a worktree is asked for. What it throws goes to `onError` and changes nothing. */
  readonly onInject?: ((role: string) => void) | undefined;
}

/**
 * Gives every subagent of a marked role its own git worktree, whatever the prompt says: the CLI creates it at
 * `<repo>/.claude/worktrees/agent-<id>` and keeps it when something was changed in it.
 */
export function isolateGuard(agents: AgentsByName, options: IsolateOptions = {}): HookMatcher {
  const decide = (call: ToolCall): Decision => {
    const decision = isolateDecision(call, agents);
    if (decision.kind === "rewrite") tellInjected(options, call);
    return decision;
  };
  return beforeTool(["Agent"], decide, options);
}

/** Adds `isolation: "worktree"` for a marked role, unless the call itself already says where to work. */
export function isolateDecision(call: ToolCall, agents: AgentsByName): Decision {
  const role = roleOf(call);
  if (toolName(call.tool) !== "Agent" || role === undefined || !Object.hasOwn(agents, role)) return PASS;
  if (isGiven(call.input.cwd) || isGiven(call.input.isolation)) return PASS;
  if (!wantsIsolation(agents[role])) return PASS;
  return { kind: "rewrite", input: { ...call.input, isolation: "worktree" } };
}

function roleOf(call: ToolCall): string | undefined {
  const role = call.input.subagent_type;
  return typeof role === "string" ? role : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Tells `onInject` of the call's role, whatever that throws. */
export function tellInjected(options: IsolateOptions, call: ToolCall): void {
  try {
    options.onInject?.(roleOf(call) ?? "");
  } catch (thrown) {
    report(options.onError, thrown);
  }
}
