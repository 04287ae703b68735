import type { AgentSpec, Effort } from "../agent/spec.ts";
import type { Lang } from "../lang/lang.ts";

/** What every role that runs as a session of its own can be given. Absent = what the SDK does by itself. */
export interface RoleLimits {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly maxTurns?: number | undefined;
  /** US dollars for one query, subagents included. */
  readonly maxBudgetUsd?: number | undefined;
}

/** The options that clarifier, judge and oracle share. */
export interface RoleOptions extends RoleLimits {
  /** Added after the role's rules. */
  readonly instructions?: string | undefined;
  /** Language of the rules. Default "en". */
  readonly lang?: Lang | undefined;
}

/** The limits that were given, and no key for the others: a spec holds only what somebody decided. */
export function givenLimits(limits: RoleLimits): Pick<AgentSpec, keyof RoleLimits> {
  return {
    ...(limits.model === undefined ? {} : { model: limits.model }),
    ...(limits.effort === undefined ? {} : { effort: limits.effort }),
    ...(limits.maxTurns === undefined ? {} : { maxTurns: limits.maxTurns }),
    ...(limits.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: limits.maxBudgetUsd }),
  };
}
