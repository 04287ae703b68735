import { guardMessages } from "../lang/messages/guards.ts";
import { beforeTool, type Decision, deny, type GuardOptions, PASS } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import type { ToolCall } from "./tool-call.ts";
import { DENIED_TOOLS, HANDS_ON_TOOLS, toolName } from "./tools.ts";

export interface WhitelistOptions extends GuardOptions {
  /** How the role is called in the refusal. */
  readonly role?: string | undefined;
}

/**
 * Makes `allowedTools` exclusive where it matters: on its own that list exempts from approval and excludes
 * nothing. Undefined when there is nothing to block, that is, when the role has all four hands-on tools.
 *
 * Contract: the main thread only; what a subagent may use stands in its own definition.
 */
export function whitelistGuard(
  allowed: readonly string[],
  options: WhitelistOptions = {},
): HookMatcher | undefined {
  const banned = bannedTools(allowed);
  if (banned.length === 0) return undefined;
  return beforeTool(banned, (call) => whitelistDecision(call, banned, options), options);
}

/**
 * The tools a role with this list does not get: the hands-on tools it does not name and, while one of those is
 * missing, everything else that could stand in for it. `Bash(git *)` names Bash.
 */
export function bannedTools(allowed: readonly string[]): readonly string[] {
  const named = new Set(allowed.map(toolName));
  if (HANDS_ON_TOOLS.every((tool) => named.has(tool))) return [];
  return DENIED_TOOLS.filter((tool) => !named.has(tool));
}

/** Denies a banned tool to the main thread. */
export function whitelistDecision(
  call: ToolCall,
  banned: readonly string[],
  options: Pick<WhitelistOptions, "role" | "lang"> = {},
): Decision {
  if (!call.mainThread || !banned.includes(toolName(call.tool))) return PASS;
  const say = guardMessages[options.lang ?? "en"];
  return deny(say.notYours(options.role ?? say.thisRole, call.tool));
}
