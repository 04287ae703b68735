import { existsSync } from "node:fs";
import type {
  AgentDefinition,
  McpServerConfig,
  Options,
  SdkPluginConfig,
} from "@anthropic-ai/claude-agent-sdk";
import { FlowerError } from "../base/errors.ts";
import type { Env } from "../config/env.ts";
import type { HookGroups } from "../guards/hook-types.ts";
import type { SessionStore } from "../store/types.ts";
import { childEnvironment } from "./environment.ts";
import type { AgentSpec } from "./spec.ts";
import { sdkToolServer } from "./tool-server.ts";
import { READ_TOOLS } from "./tools.ts";

/** Approved through the permission mode, so that they stay inside the workspace (HARNESS 13.4). */
const HELD_BY_MODE: ReadonlySet<string> = new Set(["Write", "Edit", "NotebookEdit"]);

export interface BuildOptions {
  readonly cwd: string;
  /** The process's environment, credentials merged in; it is not read from anywhere else. */
  readonly env: Env;
  /** The CLI's own directory; see `childEnvironment`. */
  readonly configDirectory: string;
  readonly sessionStore?: SessionStore | undefined;
  readonly resume?: string | undefined;
  readonly fork?: boolean | undefined;
  /** Uuid of the message to go back to; needs `resume`. */
  readonly resumeAt?: string | undefined;
  /** False leaves `plugins` out. Default true. */
  readonly usePlugin?: boolean | undefined;
  /** Directories of plugins; one that does not exist is left out. */
  readonly plugins?: readonly string[] | undefined;
  /** True: the SDK reads no settings at all; false: the project's. Default true. */
  readonly portable?: boolean | undefined;
  /** Directories beside `cwd` that the agent may work in: the workbench, when it lies outside. */
  readonly addDirs?: readonly string[] | undefined;
  /** Default "eager": what was said is in the store about 100 ms later. */
  readonly flush?: "eager" | "batched" | undefined;
  /** Follows the instructions in the system prompt: the workbench's index. */
  readonly prelude?: string | undefined;
  /** Instead of `spec.hooks`, which the caller has merged with its guards. */
  readonly hooks?: HookGroups | undefined;
  /** Our handoff watches the context: the CLI's own limit is lifted. */
  readonly handoff?: boolean | undefined;
  readonly markers?: Readonly<Record<string, string>> | undefined;
  /** Where the child's requests go instead of the real endpoint; see `childEnvironment`. */
  readonly endpoint?: Env | undefined;
}

/**
 * Compiles a spec into the SDK's options. What `Runtime` calls for every attempt, and the entry point for
 * driving the SDK without it.
 *
 * Throws `agent/needs-resume` when `fork` or `resumeAt` come without `resume`: they would have no effect.
 */
export function buildOptions(spec: AgentSpec, build: BuildOptions): Options {
  assertResume(build);
  const append = [spec.instructions, build.prelude ?? ""].filter((part) => part !== "").join("\n\n");
  return {
    cwd: build.cwd,
    env: childEnvironment({
      base: build.env,
      configDirectory: build.configDirectory,
      spec: spec.env,
      compact: spec.compact ?? (build.handoff ? { mode: "no_summary" } : {}),
      handoff: build.handoff,
      markers: build.markers,
      endpoint: build.endpoint,
    }),
    // The CLI records the system prompt and would reuse it on resume: a changed index would never arrive.
    systemPrompt: { type: "preset", preset: "claude_code", append, snapshot: false },
    settingSources: (build.portable ?? true) ? [] : ["project"],
    // Worktrees start from what the workspace has now, not from the remote's default branch.
    settings: { worktree: { baseRef: "head" }, includeCoAuthoredBy: false },
    tools: sessionTools(spec),
    allowedTools: [...approvedTools(spec), ...directoryRules(build.addDirs ?? [])],
    disallowedTools: [...(spec.disallowedTools ?? [])],
    permissionMode: spec.permissionMode ?? "default",
    permissionPrompts: "none",
    // Without it an interrupt stops background agents too, and for good (HARNESS 13.1).
    perTaskStopAffordance: true,
    additionalDirectories: [...(build.addDirs ?? [])],
    mcpServers: sdkServers(spec),
    strictMcpConfig: true,
    ...(spec.agents === undefined ? {} : { agents: plainAgents(spec.agents) }),
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(spec.effort === undefined ? {} : { effort: spec.effort }),
    ...(spec.maxTurns === undefined ? {} : { maxTurns: spec.maxTurns }),
    ...(spec.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: spec.maxBudgetUsd }),
    hooks: build.hooks ?? spec.hooks ?? {},
    plugins: (build.usePlugin ?? true) ? pluginConfigs(build.plugins ?? []) : [],
    ...(build.sessionStore === undefined
      ? {}
      : { sessionStore: build.sessionStore, sessionStoreFlush: build.flush ?? "eager" }),
    ...(build.resume === undefined ? {} : { resume: build.resume }),
    ...(build.fork ? { forkSession: true } : {}),
    ...(build.resumeAt === undefined ? {} : { resumeSessionAt: build.resumeAt }),
  };
}

function assertResume(build: BuildOptions): void {
  if (build.resume !== undefined) return;
  const lonely = build.fork ? "fork" : build.resumeAt === undefined ? undefined : "resumeAt";
  if (lonely === undefined) return;
  throw new FlowerError(
    "agent/needs-resume",
    `"${lonely}" was given without "resume", so there is nothing to branch from`,
    {
      hint: "Name the session to resume, or leave the option out.",
    },
  );
}

/**
 * The built-in tools of the whole session, named one by one: the CLI's own list changes between versions, and
 * a tool that is missing here is missing in subagents too (HARNESS 13.4), so theirs are part of it.
 */
function sessionTools(spec: AgentSpec): string[] {
  const barred = new Set(spec.disallowedTools ?? []);
  return unique([...allowedTools(spec), ...workerTools(spec)].map(bareName)).filter(
    (tool) => !tool.startsWith("mcp__") && !barred.has(tool),
  );
}

/**
 * What needs no approval. Rules are session-wide and nobody is there to approve, so what the workers have is
 * approved for the session; the main thread is held by the guards, not by this list.
 */
function approvedTools(spec: AgentSpec): string[] {
  return unique([...allowedTools(spec), ...workerTools(spec).filter((tool) => !HELD_BY_MODE.has(tool))]);
}

/**
 * `additionalDirectories` do not count for a worker in a worktree of its own; rules do (`Edit` covers Write; CLI
 * 2.1.332). A path with characters that mean something in a rule gets none, rather than a wider one than was meant.
 */
function directoryRules(directories: readonly string[]): string[] {
  return directories
    .filter((directory) => !/[*?[\]{}()!\\,]/.test(directory))
    .flatMap((directory) => [`Read(/${directory}/**)`, `Edit(/${directory}/**)`]);
}

function allowedTools(spec: AgentSpec): readonly string[] {
  return spec.allowedTools ?? READ_TOOLS;
}

function workerTools(spec: AgentSpec): readonly string[] {
  return Object.values(spec.agents ?? {}).flatMap((agent) => agent.tools ?? []);
}

/** `Bash(git *)` is a rule about `Bash`. */
function bareName(tool: string): string {
  return tool.replace(/\(.*$/s, "");
}

function unique(tools: readonly string[]): string[] {
  return [...new Set(tools)];
}

function sdkServers({ mcpServers }: AgentSpec): Record<string, McpServerConfig> {
  const servers = typeof mcpServers === "function" ? mcpServers() : (mcpServers ?? {});
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      server.type === "tools" ? sdkToolServer(server) : server,
    ]),
  );
}

/** Copies only what has a string key: our isolation mark is a symbol and stays here. */
function plainAgents(agents: Readonly<Record<string, AgentDefinition>>): Record<string, AgentDefinition> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [
      name,
      { description: agent.description, prompt: agent.prompt, ...Object.fromEntries(Object.entries(agent)) },
    ]),
  );
}

function pluginConfigs(directories: readonly string[]): SdkPluginConfig[] {
  return directories.filter((path) => existsSync(path)).map((path) => ({ type: "local", path }));
}
