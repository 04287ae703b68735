import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Options,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { ScriptedModel } from "../../src/testing/index.ts";
import { LARGE_PAGES } from "./large-pages.ts";

/** Directories of one run of the real CLI, below a temporary directory of their own. */
export interface CliWorld {
  readonly dir: string;
  /** The working directory of the run; empty at first, not a repository. */
  readonly workspace: string;
  readonly configDir: string;
  readonly home: string;
  /** Scratch space of the CLI and its tools. */
  readonly scratch: string;
  /** Ends the queries still running here and removes the directories. */
  cleanup(): Promise<void>;
}

export interface QueryOutcome {
  readonly messages: readonly SDKMessage[];
  /** What the iterator threw; after an error result it always throws. */
  readonly error: unknown;
  /** The last `result` message. */
  readonly result: SDKResultMessage | undefined;
  readonly stderr: string;
}

export interface QueryRequest {
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  /** Over the defaults below; `env` is not among them, see there. */
  readonly options?: Omit<Options, "env">;
  /** Added to what the scripted model hands out; may also replace, as `ANTHROPIC_BASE_URL` for a gateway. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with every message as it comes. */
  readonly onMessage?: (message: SDKMessage) => void;
}

const running = new WeakMap<CliWorld, Map<AbortController, Promise<unknown>>>();

export function makeWorld(): CliWorld {
  const dir = mkdtempSync(join(tmpdir(), "flower-cli-"));
  const [workspace, configDir, home, scratch] = ["workspace", "config", "home", "scratch"].map((name) => {
    const path = join(dir, name);
    mkdirSync(path);
    return path;
  }) as [string, string, string, string];
  const queries = new Map<AbortController, Promise<unknown>>();
  const world: CliWorld = {
    dir,
    workspace,
    configDir,
    home,
    scratch,
    cleanup: async () => {
      for (const controller of queries.keys()) controller.abort();
      await Promise.all(queries.values());
      // The process may write its last lines a moment after its iterator has ended.
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  running.set(world, queries);
  return world;
}

/**
 * Runs one query of the real SDK and CLI to its end. Defaults: a model with an old name (its requests have the
 * plainest form), no settings files, `Bash`, `Read` and `Write` allowed, foreground subagents, one retry.
 */
export async function runQuery(
  world: CliWorld,
  model: Pick<ScriptedModel, "env">,
  request: QueryRequest,
): Promise<QueryOutcome> {
  const controller = request.options?.abortController ?? new AbortController();
  const work = collect(world, model, request, controller);
  const queries = running.get(world);
  queries?.set(controller, work);
  try {
    return await work;
  } finally {
    queries?.delete(controller);
  }
}

async function collect(
  world: CliWorld,
  model: Pick<ScriptedModel, "env">,
  request: QueryRequest,
  abortController: AbortController,
): Promise<QueryOutcome> {
  const messages: SDKMessage[] = [];
  let stderr = "";
  let error: unknown;
  try {
    const stream = query({
      prompt: request.prompt,
      options: {
        cwd: world.workspace,
        model: "claude-sonnet-4-5",
        settingSources: [],
        tools: ["Bash", "Read", "Write", "Agent"],
        allowedTools: ["Bash", "Read", "Write"],
        stderr: (text) => {
          stderr += text;
        },
        ...request.options,
        abortController,
        env: model.env({
          configDir: world.configDir,
          home: world.home,
          path: process.env.PATH ?? "",
          extra: {
            ...LARGE_PAGES,
            CLAUDE_CODE_TMPDIR: world.scratch,
            CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
            CLAUDE_CODE_MAX_RETRIES: "1",
            ...request.env,
          },
        }),
      },
    });
    for await (const message of stream) {
      messages.push(message);
      request.onMessage?.(message);
    }
  } catch (thrown) {
    error = thrown;
  }
  const result = messages.findLast((message) => message.type === "result");
  return { messages, error, result, stderr };
}
