import type { AgentDefinition, PermissionMode } from "../agent/spec.ts";
import { WORKER_TOOLS } from "../agent/tools.ts";
import { joinParagraphs } from "../base/text.ts";
import { isolated } from "../guards/isolation.ts";
import type { Lang } from "../lang/lang.ts";
import { WORKER_RULES } from "../lang/rules/worker-rules.ts";

export interface WorkerOptions {
  /** Its complete list, not an addition. Default: everything that work takes, without Agent (no nesting). */
  readonly tools?: readonly string[] | undefined;
  /** Default "inherit": the coordinator's model. */
  readonly model?: string | undefined;
  readonly effort?: AgentDefinition["effort"];
  readonly maxTurns?: number | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly skills?: readonly string[] | undefined;
  /** Append the rules about working and reporting. Default true. */
  readonly discipline?: boolean | undefined;
  /** A git worktree of its own at each dispatch; the workspace must be a repository. Default false. */
  readonly isolate?: boolean | undefined;
  /** Language of the rules. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * A subagent that does the work, for `coordinator(…, workers)`. `description` tells the coordinator when to use it,
 * `prompt` is its craft; the rules follow the prompt.
 */
export function worker(description: string, prompt: string, options: WorkerOptions = {}): AgentDefinition {
  const { model = "inherit", discipline = true, isolate = false, lang = "en" } = options;
  const definition: AgentDefinition = {
    description,
    prompt: joinParagraphs(prompt, discipline ? WORKER_RULES[lang] : undefined),
    tools: [...(options.tools ?? WORKER_TOOLS)],
    model,
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
    ...(options.skills === undefined ? {} : { skills: [...options.skills] }),
  };
  return isolate ? isolated(definition) : definition;
}
