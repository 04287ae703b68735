import type { Lang } from "../lang/lang.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { delegateGuard } from "./delegate-guard.ts";
import { foregroundGuard } from "./foreground-guard.ts";
import type { OnGuardError } from "./hook-answers.ts";
import type { HookGroups } from "./hook-types.ts";
import { indexGuard } from "./index-guard.ts";
import { type AgentsByName, isolateGuard } from "./isolate-guard.ts";
import { wantsIsolation } from "./isolation.ts";
import { mergeHooks } from "./merge-hooks.ts";
import { SPILL_THRESHOLD_CHARS, spillGuard } from "./spill-guard.ts";

export interface WorkbenchHooksOptions {
  /** Wall the main thread in, see `delegateGuard`. Default true. */
  readonly delegateOnly?: boolean | undefined;
  /** Characters; null or 0 = no spill guard. Default 4000. */
  readonly spillThreshold?: number | null | undefined;
  /** The session's subagents: marked ones get worktrees. */
  readonly agents?: AgentsByName | undefined;
  /** See `delegateGuard`. Default false. */
  readonly allowGlance?: boolean | undefined;
  /** Subagents and commands stay in the turn that started them, see `foregroundGuard`. Default false. */
  readonly foreground?: boolean | undefined;
  readonly lang?: Lang | undefined;
  readonly onError?: OnGuardError | undefined;
  /** See `isolateGuard`. */
  readonly onInject?: ((role: string) => void) | undefined;
}

/**
 * Every hook that a session with a workbench needs. Without one the index and spill guards have nothing to work
 * on and are left out; the wall around a coordinator and the isolation of workers stand all the same.
 */
export function workbenchHooks(
  workbench: Workbench | undefined,
  options: WorkbenchHooksOptions = {},
): HookGroups {
  return mergeHooks(beforeHooks(workbench, options), afterHooks(workbench, options));
}

function beforeHooks(workbench: Workbench | undefined, options: WorkbenchHooksOptions): HookGroups {
  const { delegateOnly = true, agents = {}, allowGlance = false, lang = "en", onError, onInject } = options;
  const artifactsPath = workbench?.show(workbench.artifacts);
  const { foreground = false } = options;
  const anyIsolated = Object.values(agents).some((agent) => wantsIsolation(agent));
  return {
    PreToolUse: [
      ...(delegateOnly ? [delegateGuard({ allowGlance, artifactsPath, lang, onError })] : []),
      ...(anyIsolated && !foreground ? [isolateGuard(agents, { lang, onError, onInject })] : []),
      ...(foreground ? [foregroundGuard(agents, { lang, onError, onInject })] : []),
    ],
  };
}

function afterHooks(workbench: Workbench | undefined, options: WorkbenchHooksOptions): HookGroups {
  if (workbench === undefined) return {};
  const { lang = "en", onError } = options;
  const threshold = options.spillThreshold === undefined ? SPILL_THRESHOLD_CHARS : options.spillThreshold;
  return {
    PostToolUse: [
      indexGuard(workbench, { onError }),
      ...(threshold === null || threshold === 0 ? [] : [spillGuard(workbench, { threshold, lang, onError })]),
    ],
  };
}
