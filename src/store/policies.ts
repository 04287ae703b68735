import { FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { STORE_MESSAGES } from "../lang/messages/store.ts";

/** What happens to large tool results when a session is fed back. Numbers: SPEC 11. */
export interface TrimPolicy {
  /** Default true. */
  readonly enabled?: boolean;
  /** The newest results, of any tool, that stay as they are. Default 20. */
  readonly keepRecent?: number;
  /** Results with at least this many characters (code points) are archived. Default 2000. */
  readonly minChars?: number;
  /** Where they go, relative to the workspace and inside it. Default `.flower/spill`. */
  readonly spillDirname?: string;
}

/** What happens to results of commands whose truth fades (`isEphemeral`) when a session is fed back. */
export interface EphemeralPolicy {
  /** Default true. */
  readonly enabled?: boolean;
  /** The newest results, of any tool, among which nothing expires. Default 6. */
  readonly keepRecent?: number;
  /** Longer results are trimming's business: they are archived, not thrown away. Default 2000 characters. */
  readonly maxChars?: number;
  /** What stands in place of the result; `{cmd}` and `{age}` (rounds ago) are filled in. Default per language. */
  readonly text?: string;
}

/** What is taken out of, or mended in, a history before it is fed back. */
export interface PrunePolicy {
  /** API errors that the CLI recorded as words of the assistant are dropped whole. Default true. */
  readonly dropApiErrors?: boolean;
  /** "The user doesn't want to proceed …" of an interrupt becomes `interruptText`. Default true. */
  readonly neutralizeInterrupts?: boolean;
  /** Default per language. */
  readonly interruptText?: string;
  /** Denied calls that stay, newest first. Default 1: the last one still keeps the model from trying again. */
  readonly keepDenials?: number;
  /** Calls without a result get one; a hole in the chain is bridged. Default true. */
  readonly healOrphans?: boolean;
  /** `stoppedByUser` leaves the metadata of subagents, else they could never be continued. Default true. */
  readonly reviveAgents?: boolean;
}

export type ResolvedTrimPolicy = Readonly<Required<TrimPolicy>>;
export type ResolvedEphemeralPolicy = Readonly<Required<EphemeralPolicy>>;
export type ResolvedPrunePolicy = Readonly<Required<PrunePolicy>>;

/** `true` and nothing are the defaults, `false` is off. Throws `store/bad-policy`. */
export function resolveTrimPolicy(given: TrimPolicy | boolean = true, lang: Lang = "en"): ResolvedTrimPolicy {
  const {
    enabled = true,
    keepRecent = 20,
    minChars = 2000,
    spillDirname = ".flower/spill",
  }: TrimPolicy = asOptions(given);
  requireCounts(lang, { "trim.keepRecent": keepRecent, "trim.minChars": minChars });
  return { enabled, keepRecent, minChars, spillDirname };
}

/** `true` and nothing are the defaults, `false` is off. Throws `store/bad-policy`. */
export function resolveEphemeralPolicy(
  given: EphemeralPolicy | boolean = true,
  lang: Lang = "en",
): ResolvedEphemeralPolicy {
  const { expired } = STORE_MESSAGES[lang];
  const {
    enabled = true,
    keepRecent = 6,
    maxChars = 2000,
    text = expired,
  }: EphemeralPolicy = asOptions(given);
  requireCounts(lang, { "ephemeral.keepRecent": keepRecent, "ephemeral.maxChars": maxChars });
  return { enabled, keepRecent, maxChars, text };
}

/** `true` and nothing are the defaults; `false` takes out and mends nothing. Throws `store/bad-policy`. */
export function resolvePrunePolicy(
  given: PrunePolicy | boolean = true,
  lang: Lang = "en",
): ResolvedPrunePolicy {
  const on = given !== false;
  const {
    dropApiErrors = on,
    neutralizeInterrupts = on,
    interruptText = STORE_MESSAGES[lang].interrupted,
    keepDenials = on ? 1 : Number.MAX_SAFE_INTEGER,
    healOrphans = on,
    reviveAgents = on,
  }: PrunePolicy = typeof given === "boolean" ? {} : given;
  requireCounts(lang, { "prune.keepDenials": keepDenials });
  return { dropApiErrors, neutralizeInterrupts, interruptText, keepDenials, healOrphans, reviveAgents };
}

function asOptions<T extends { readonly enabled?: boolean }>(given: T | boolean): T | { enabled: boolean } {
  return typeof given === "boolean" ? { enabled: given } : given;
}

function requireCounts(lang: Lang, counts: Readonly<Record<string, number>>): void {
  const { badPolicy, badPolicyHint } = STORE_MESSAGES[lang];
  for (const [field, value] of Object.entries(counts)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new FlowerError("store/bad-policy", badPolicy(field, String(value)), { hint: badPolicyHint });
  }
}
