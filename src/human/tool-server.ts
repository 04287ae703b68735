import type { z } from "zod";

/**
 * Tools of ours for a model, as data: `agent/` makes an in-process MCP server of it, a fresh one for every query.
 * A model sees them under `mcp__<name of the server>__<name of the tool>`, from its first turn on.
 */
export interface ToolServer {
  readonly type: "tools";
  readonly name: string;
  /** Milliseconds that a call may take. */
  readonly timeoutMs: number;
  readonly tools: readonly ServedTool[];
}

export interface ServedTool {
  readonly name: string;
  readonly description: string;
  /** One schema an argument. */
  readonly input: Readonly<Record<string, z.ZodType>>;
  /** Gets what fits `input`; the model reads what it returns, or the message of what it throws as an error. */
  readonly run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => string | Promise<string>;
}
