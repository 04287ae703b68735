import { readFileSync } from "node:fs";
import type { AgentSpec } from "../../src/agent/spec.ts";
import type { Event } from "../../src/events/event.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { type Scenario, type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { type CliWorld, makeWorld } from "./cli-world.ts";
import { childEnv, MODEL } from "./run-agent.ts";

/** A world in which runtimes run against a scripted model; everything ends with `end()`. */
export interface RunWorld {
  readonly cli: CliWorld;
  readonly workspace: string;
  /** Every event of every run, in order. */
  readonly events: Event[];
  play(scenario: Scenario): Promise<ScriptedModel>;
  runtime(options?: Partial<RuntimeOptions>): Runtime;
  /** The environment of a flower process here. */
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  end(): Promise<void>;
}

export function makeRunWorld(): RunWorld {
  const cli = makeWorld();
  const events: Event[] = [];
  const runtimes: Runtime[] = [];
  let model: ScriptedModel | undefined;
  const played = (): ScriptedModel => {
    if (model === undefined) throw new Error("play a scenario first");
    return model;
  };
  const env: RunWorld["env"] = (extra) => childEnv(cli, played(), { FLOWER_LANG: "en", ...extra });
  return {
    cli,
    workspace: cli.workspace,
    events,
    env,
    play: async (scenario) => {
      await model?.close();
      model = await startScriptedModel(scenario);
      return model;
    },
    runtime: (options) => {
      const runtime = new Runtime({
        workspace: cli.workspace,
        env: env(),
        dotenv: false,
        resilience: { baseDelayMs: 1, maxDelayMs: 1, probeIntervalMs: 10 },
        ...options,
      });
      runtimes.push(runtime);
      return runtime;
    },
    end: async () => {
      for (const runtime of runtimes) runtime.close();
      await model?.close();
      await cli.cleanup();
    },
  };
}

/** A plain agent with Bash, on the model that every test uses. */
export function specOf(spec: Partial<AgentSpec> = {}): AgentSpec {
  return { name: "agent", instructions: "", model: MODEL, allowedTools: ["Bash"], ...spec };
}

export function manifestRows(runtime: Runtime): readonly Record<string, unknown>[] {
  return JSON.parse(readFileSync(runtime.manifestPath, "utf8")) as Record<string, unknown>[];
}
