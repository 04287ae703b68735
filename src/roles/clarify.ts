import type { AgentSpec } from "../agent/spec.ts";
import { READ_TOOLS, WEB_TOOLS } from "../agent/tools.ts";
import { joinParagraphs } from "../base/text.ts";
import { CLARIFIER_RULES } from "../lang/rules/clarifier-rules.ts";
import type { AskChannel } from "./ask-channel.ts";
import { givenLimits, type RoleOptions } from "./role-options.ts";

export interface ClarifyOptions extends RoleOptions {
  /** Files and the web, so that only what they cannot answer is asked. Default true. */
  readonly canRead?: boolean | undefined;
}

/**
 * The clarifier: asks until it is settled what will be built, then writes the four-section brief.
 *
 * Turns are not capped unless the caller does so: a cap would end the questions with the brief unwritten. No inbox,
 * because whoever asks is answered; no workbench, because it writes nothing.
 */
export function clarify(name: string, channel: AskChannel, options: ClarifyOptions = {}): AgentSpec {
  const { canRead = true, lang = "en" } = options;
  return {
    name,
    instructions: joinParagraphs(CLARIFIER_RULES[lang], options.instructions),
    allowedTools: [channel.toolName, ...(canRead ? [...READ_TOOLS, ...WEB_TOOLS] : [])],
    mcpServers: () => channel.mcpServers(),
    workbench: false,
    ...givenLimits(options),
  };
}
