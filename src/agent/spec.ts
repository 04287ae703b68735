import type { AgentDefinition, McpServerConfig, Options } from "@anthropic-ai/claude-agent-sdk";
import type { HookGroups } from "../guards/hook-types.ts";
import type { ToolServer } from "../human/tool-server.ts";
import type { CompactPolicy } from "./compact-policy.ts";

export type { AgentDefinition, McpServerConfig };

/** How a session may act without asking; unattended, whatever would ask is denied. */
export type PermissionMode = NonNullable<Options["permissionMode"]>;
export type Effort = NonNullable<Options["effort"]>;

/** By name. Tools of our own are data (`ToolServer`); a server of the SDK that holds a connection serves one query. */
export type McpServers = Readonly<Record<string, McpServerConfig | ToolServer>>;

/**
 * The complete declaration of one agent: plain data, made by the role factories or by hand. "Replace a field"
 * is object spread.
 */
export interface AgentSpec {
  readonly name: string;
  /** Appended to Claude Code's own system prompt, never instead of it. */
  readonly instructions: string;
  /** Exempt from approval. It does not exclude: what a role must not do is held by guards. Default Read Glob Grep. */
  readonly allowedTools?: readonly string[];
  /** Session-wide, subagents included. */
  readonly disallowedTools?: readonly string[];
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly maxTurns?: number | undefined;
  /** US dollars for one query, subagents included. */
  readonly maxBudgetUsd?: number | undefined;
  /** Default "default". */
  readonly permissionMode?: PermissionMode;
  /** Subagents by role name. The same names must be passed on every resume. */
  readonly agents?: Readonly<Record<string, AgentDefinition>>;
  /** A function where servers hold a connection, so that every query gets fresh ones. */
  readonly mcpServers?: McpServers | (() => McpServers);
  readonly hooks?: HookGroups;
  readonly compact?: CompactPolicy;
  readonly env?: Readonly<Record<string, string>>;
  /** The coordinator may run commands whose results go stale (`isEphemeral`). Default false. */
  readonly glance?: boolean;
  /** The workbench's index is part of the system prompt, and its guards are installed. Default true. */
  readonly workbench?: boolean;
  /** The main thread may not touch anything itself. Default false. */
  readonly delegateOnly?: boolean;
}
