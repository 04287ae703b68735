import type { McpServers } from "../agent/spec.ts";

/**
 * What a role needs of the way to the human: two tool names and the server behind them. `HumanChannel` fits; so
 * does anything else that offers both tools.
 */
export interface AskChannel {
  /** Full name of the tool that blocks until somebody answers. */
  readonly toolName: string;
  /** Full name of the tool that fetches what the human said unasked. */
  readonly inboxName: string;
  /** Called once for every query. */
  mcpServers(): McpServers;
}
