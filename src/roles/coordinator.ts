import type { CompactPolicy } from "../agent/compact-policy.ts";
import type { AgentDefinition, AgentSpec, PermissionMode } from "../agent/spec.ts";
import { COORDINATOR_TOOLS, WEB_TOOLS } from "../agent/tools.ts";
import { joinParagraphs } from "../base/text.ts";
import type { HookGroups } from "../guards/hook-types.ts";
import type { Lang } from "../lang/lang.ts";
import { COORDINATOR_RULES } from "../lang/rules/coordinator-rules.ts";
import type { AskChannel } from "./ask-channel.ts";
import { givenLimits, type RoleLimits } from "./role-options.ts";

export interface CoordinatorOptions extends RoleLimits {
  /** Both of its tools come with it: once the server is mounted, both can be called, listed or not. */
  readonly channel?: AskChannel | undefined;
  /** Read without approval. Default true. */
  readonly canRead?: boolean | undefined;
  /** Bash for commands whose results go stale, and for nothing else (`isEphemeral`). Default true. */
  readonly glance?: boolean | undefined;
  /** Of the session, so of the workers too. Default "acceptEdits". */
  readonly permissionMode?: PermissionMode | undefined;
  readonly compact?: CompactPolicy | undefined;
  readonly hooks?: HookGroups | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Language of the rules. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * The main thread of a long run: splits the work, hands it out, reads reports, decides, and never works itself.
 *
 * Contract: pure; `workers` keeps its names and definitions as they are. `delegateOnly` makes the runtime install
 * the guard that holds what the rules say.
 */
export function coordinator(
  name: string,
  instructions: string,
  workers: Readonly<Record<string, AgentDefinition>>,
  options: CoordinatorOptions = {},
): AgentSpec {
  const { channel, canRead = true, glance = true, permissionMode = "acceptEdits", lang = "en" } = options;
  return {
    name,
    instructions: joinParagraphs(COORDINATOR_RULES[lang], instructions),
    allowedTools: [
      ...COORDINATOR_TOOLS,
      ...(canRead ? ["Read"] : []),
      ...(glance ? ["Bash"] : []),
      ...(channel === undefined ? [] : [channel.toolName, channel.inboxName]),
      ...webToolsOf(workers),
    ],
    agents: workers,
    permissionMode,
    glance,
    workbench: true,
    delegateOnly: true,
    ...(channel === undefined ? {} : { mcpServers: () => channel.mcpServers() }),
    ...(options.compact === undefined ? {} : { compact: options.compact }),
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...givenLimits(options),
  };
}

/**
 * Approval is a matter of the session: a web tool that only the worker lists is denied to the worker as well, and
 * the model tries it again and again. Only the web tools, since they change nothing; exempting Write or Edit here
 * would exempt the main thread too.
 */
function webToolsOf(workers: Readonly<Record<string, AgentDefinition>>): readonly string[] {
  const definitions = Object.values(workers);
  return WEB_TOOLS.filter((tool) => definitions.some(({ tools }) => tools?.includes(tool) === true));
}
