import type { Env } from "../config/env.ts";
import { defaultWindow } from "../config/window.ts";
import type { Lang } from "../lang/lang.ts";
import { runtimeInputMessages } from "../lang/messages/runtime-input.ts";
import { requireCount } from "./check-input.ts";

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
  /** Plans with a smaller window from now on: an overflow has told that the model has no more. */
  narrow(window: number): void;
}

/** A handoff is never due before, so that a smaller window would overflow first (SPEC 7). */
const LEAST_AT = 10_000;

/**
 * Fills in the defaults. Throws `runtime/handoff-window` for a window that cannot hold a handoff, `runtime/bad-limit`
 * for another number that cannot be meant, and `config/bad-window`.
 */
export function resolveHandoff(policy: HandoffPolicy | boolean, env: Env, lang: Lang): ResolvedHandoff {
  const given = typeof policy === "boolean" ? { enabled: policy } : policy;
  const { enabled = true, window = defaultWindow(env, lang), headroom = 50_000, maxGenerations = 8 } = given;
  const hint = runtimeInputMessages[lang].windowHint;
  const least = enabled ? LEAST_AT : 1;
  requireCount({ field: "window", value: window, least, code: "runtime/handoff-window", hint }, lang);
  requireCount({ field: "handoff.headroom", value: headroom, least: 0 }, lang);
  requireCount({ field: "handoff.maxGenerations", value: maxGenerations, least: 0 }, lang);
  let planned = window;
  const at = (): number => Math.max(LEAST_AT, planned - headroom);
  return {
    enabled,
    headroom,
    maxGenerations,
    get window() {
      return planned;
    },
    get at() {
      return at();
    },
    get warnAt() {
      return Math.max(1_000, at() - 20_000);
    },
    narrow: (smaller) => {
      planned = Math.min(planned, smaller);
    },
  };
}
