import type { AgentSpec } from "../agent/spec.ts";
import { READ_TOOLS } from "../agent/tools.ts";
import { joinParagraphs } from "../base/text.ts";
import { JUDGE_RULES } from "../lang/rules/judge-rules.ts";
import type { AskChannel } from "./ask-channel.ts";
import { givenLimits, type RoleOptions } from "./role-options.ts";

export interface JudgeOptions extends RoleOptions {
  /** Bash, for checks that have to be run; let it run on a copy, since Bash can also write. Default false. */
  readonly canRun?: boolean | undefined;
}

/**
 * The judge: writes the goal and its checklist before the work, or a verdict after a round of it. The prompt says
 * which of the two. Neither inbox nor workbench: nobody's account of the work reaches it, only the work.
 */
export function judge(name: string, channel: AskChannel, options: JudgeOptions = {}): AgentSpec {
  const { canRun = false, lang = "en" } = options;
  return {
    name,
    instructions: joinParagraphs(JUDGE_RULES[lang], options.instructions),
    allowedTools: [channel.toolName, ...READ_TOOLS, ...(canRun ? ["Bash"] : [])],
    mcpServers: () => channel.mcpServers(),
    workbench: false,
    ...givenLimits(options),
  };
}
