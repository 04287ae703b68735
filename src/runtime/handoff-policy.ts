import { FlowerError } from "../base/errors.ts";
import type { Env } from "../config/env.ts";
import { defaultWindow } from "../config/window.ts";

/** When a session whose context fills hands over to a fresh one. Tokens everywhere. */
export interface HandoffPolicy {
  /** Default true. */
  readonly enabled?: boolean;
  /** Context window of the model. Default `defaultWindow()`. */
  readonly window?: number;
  /** Kept free for the turn that writes the document and for the largest single result. Default 50,000. */
  readonly headroom?: number;
  /** Sessions that may retire in one step before it stops. Default 8. */
  readonly maxGenerations?: number;
}

export interface ResolvedHandoff {
  readonly enabled: boolean;
  readonly window: number;
  readonly headroom: number;
  readonly maxGenerations: number;
  /** The handoff is due at this many tokens: window - headroom, at least 10,000. */
  readonly at: number;
  /** A warning is due at this many tokens: 20,000 before `at`, at least 1,000. */
  readonly warnAt: number;
}

/** Fills in the defaults. Throws `runtime/handoff-window` for a window that is not a positive whole number. */
export function resolveHandoff(policy: HandoffPolicy | boolean, env: Env): ResolvedHandoff {
  const given = typeof policy === "boolean" ? { enabled: policy } : policy;
  const window = given.window ?? defaultWindow(env);
  if (!Number.isSafeInteger(window) || window <= 0) {
    throw new FlowerError("runtime/handoff-window", `a context window of ${window} tokens makes no sense`, {
      hint: "Give the model's window in tokens, for example 200000.",
    });
  }
  const headroom = given.headroom ?? 50_000;
  const at = Math.max(10_000, window - headroom);
  return {
    enabled: given.enabled ?? true,
    window,
    headroom,
    maxGenerations: given.maxGenerations ?? 8,
    at,
    warnAt: Math.max(1_000, at - 20_000),
  };
}
