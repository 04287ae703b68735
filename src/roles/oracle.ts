import type { AgentSpec } from "../agent/spec.ts";
import { READ_TOOLS } from "../agent/tools.ts";
import { joinParagraphs } from "../base/text.ts";
import { NAMES } from "../lang/names.ts";
import { ORACLE_RULES } from "../lang/rules/oracle-rules.ts";
import { givenLimits, type RoleOptions } from "./role-options.ts";

/** Enough to look at a few files and answer; a question aside must not cost like the run it asks about (SPEC 6). */
const DEFAULT_LIMITS = { maxTurns: 12, maxBudgetUsd: 0.5 } as const;

/**
 * The oracle: answers "where does it stand?" while a run goes on, without entering it. It has no channel (it
 * answers, it does not ask), and the workbench's index is what it looks at first.
 */
export function oracle(name?: string, options: RoleOptions = {}): AgentSpec {
  const { lang = "en" } = options;
  return {
    name: name ?? NAMES[lang].oracleRole,
    instructions: joinParagraphs(ORACLE_RULES[lang], options.instructions),
    allowedTools: [...READ_TOOLS],
    workbench: true,
    ...DEFAULT_LIMITS,
    ...givenLimits(options),
  };
}
