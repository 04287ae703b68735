import { join, resolve } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { assertWritable, ensureDirectory } from "../base/files.ts";
import { newRunId, randomHex } from "../base/ids.ts";
import { requireCredentials } from "../config/credentials.ts";
import { currentDirectory, type Env, homeDirectory, processEnv, sourceCheckout } from "../config/env.ts";
import { type LoadedEnvironment, loadEnvironment } from "../config/load-environment.ts";
import type { Lang } from "../lang/lang.ts";
import { Resilience, type ResilienceOptions } from "../resilience/resilience.ts";
import { resolveEphemeralPolicy, resolvePrunePolicy, resolveTrimPolicy } from "../store/policies.ts";
import { Workbench } from "../workbench/workbench.ts";
import { requireCount, requireEndpoint } from "./check-input.ts";
import { type ResolvedHandoff, resolveHandoff } from "./handoff-policy.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { createSpend, type Spend } from "./spend.ts";
import { workspaceLang } from "./workspace-lang.ts";

/** The options of a runtime with their defaults filled in. */
export interface RuntimeSettings {
  readonly workspace: string;
  readonly runDir: string;
  readonly runId: string;
  readonly environment: LoadedEnvironment;
  readonly lang: Lang;
  readonly portable: boolean;
  readonly spillThreshold: number | null;
  readonly resilience: Resilience;
  readonly handoff: ResolvedHandoff;
  readonly workbench: Workbench | undefined;
  readonly spend: Spend;
  readonly clock: Clock;
}

/**
 * Fills in what the options leave out, makes the directories, and throws what makes a run impossible: see `Runtime`.
 */
export function resolveSettings(options: RuntimeOptions): RuntimeSettings {
  const clock = options.clock ?? systemClock;
  const workspace = resolve(options.workspace);
  const runDir = resolve(options.runDir ?? join(workspace, "runs"));
  const runId = newRunId(clock.now(), options.random ?? randomHex);
  const environment = environmentOf(options);
  const lang = workspaceLang(options, environment.env);
  requireCredentials(environment.env, lang);
  // What cannot be meant is said before anything is made, let alone paid for.
  requireEndpoint(environment, lang);
  const spend = createSpend(options.budgetUsd ?? null, lang);
  const handoff = resolveHandoff(options.handoff ?? true, environment.env, lang);
  const resilience = resilienceOf(options.resilience ?? true, lang, clock);
  const spillThreshold = options.spillThreshold === undefined ? 4000 : (options.spillThreshold ?? 0);
  requireCount({ field: "spillThreshold", value: spillThreshold, least: 0 }, lang);
  checkStorePolicies(options, lang);
  ensureDirectory(workspace);
  ensureDirectory(runDir);
  assertWritable(runDir, `.write-${runId}`);
  return {
    workspace,
    runDir,
    runId,
    environment,
    lang,
    portable: options.portable ?? true,
    spillThreshold: spillThreshold || null,
    resilience,
    handoff,
    workbench: workbenchOf(options.workbench ?? false, { workspace, runDir, lang }),
    spend,
    clock,
  };
}

/** The store checks them too, when its file is there already. */
function checkStorePolicies({ trim, ephemeral, keepDenials }: RuntimeOptions, lang: Lang): void {
  resolveTrimPolicy(trim, lang);
  resolveEphemeralPolicy(ephemeral, lang);
  resolvePrunePolicy(keepDenials === undefined ? {} : { keepDenials }, lang);
}

function environmentOf(options: RuntimeOptions): LoadedEnvironment {
  const env: Env = options.env ?? processEnv();
  if (!(options.dotenv ?? true)) return { env, origin: {}, notices: [] };
  return loadEnvironment({
    env,
    cwd: currentDirectory(),
    home: homeDirectory(env),
    checkout: sourceCheckout(),
  });
}

function workbenchOf(
  given: Workbench | boolean,
  { workspace, runDir, lang }: Pick<RuntimeSettings, "workspace" | "runDir" | "lang">,
): Workbench | undefined {
  if (given === false) return undefined;
  if (given !== true) return given;
  const workbench = new Workbench(workspace, { home: join(runDir, "workbench"), lang });
  workbench.refresh();
  return workbench;
}

function resilienceOf(given: ResilienceOptions | boolean, lang: Lang, clock: Clock): Resilience {
  return new Resilience({ lang, clock, ...(typeof given === "boolean" ? { enabled: given } : given) });
}
