import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { type BuildOptions, buildOptions } from "../../src/agent/options.ts";
import { type QueryControl, runQuery } from "../../src/agent/query.ts";
import type { QueryOutcome } from "../../src/agent/query-outcome.ts";
import type { AgentSpec } from "../../src/agent/spec.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { ScriptedModel } from "../../src/testing/index.ts";
import type { CliWorld } from "./cli-world.ts";
import { LARGE_PAGES } from "./large-pages.ts";

/** Old names get requests of the plainest form (HARNESS 0). */
export const MODEL = "claude-sonnet-4-5";

export interface AgentRun {
  readonly spec?: Partial<AgentSpec>;
  readonly build?: Partial<BuildOptions>;
  readonly env?: Readonly<Record<string, string>>;
  readonly prompt?: string;
  readonly signal?: AbortSignal;
  readonly onMessage?: (message: SDKMessage, control: QueryControl) => void;
}

/** One query of flower's own agent layer on the real CLI. */
export async function runAgent(
  world: CliWorld,
  model: ScriptedModel,
  run: AgentRun = {},
): Promise<{ outcome: QueryOutcome; messages: readonly SDKMessage[] }> {
  const messages: SDKMessage[] = [];
  const spec: AgentSpec = { name: "test", instructions: "", model: MODEL, ...run.spec };
  const outcome = await runQuery({
    options: buildOptions(spec, {
      cwd: world.workspace,
      env: childEnv(world, model, run.env),
      configDirectory: world.configDir,
      ...run.build,
    }),
    prompt: run.prompt ?? "go",
    clock: systemClock,
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    onEvent: ({ raw }, control) => {
      const message = raw as SDKMessage;
      // A message of several blocks gives several events.
      if (message === messages.at(-1)) return;
      messages.push(message);
      run.onMessage?.(message, control);
    },
  });
  return { outcome, messages };
}

/** The environment that a flower process of this world would have: its children get theirs from it. */
export function childEnv(
  world: CliWorld,
  model: ScriptedModel,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return model.env({
    configDir: world.configDir,
    home: world.home,
    path: process.env.PATH ?? "",
    extra: { ...LARGE_PAGES, CLAUDE_CODE_TMPDIR: world.scratch, CLAUDE_CODE_MAX_RETRIES: "1", ...extra },
  });
}
