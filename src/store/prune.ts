import { dropDenials } from "./denials.ts";
import { neutralizeInterrupts } from "./interrupts.ts";
import type { ResolvedPrunePolicy } from "./policies.ts";
import { pinnedUuids, relink } from "./relink.ts";
import { isApiError, isProtected, toolUsesOf, uuidOf } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

export interface PruneOptions {
  readonly policy: ResolvedPrunePolicy;
  /** In place of the CLI's remark that the user interrupted. */
  readonly turnInterrupted: string;
}

export interface PruneReport {
  /** API errors dropped. */
  readonly apiErrors: number;
  /** Entries that said "the user doesn't want …" and now say that they were interrupted. */
  readonly interrupts: number;
  /** Denied calls dropped, each with its result. */
  readonly denials: number;
}

/**
 * Takes out of a history what was never work: API errors that stand there as if the assistant had said them,
 * refusals that were interrupts, calls that were denied. Children of what goes are tied to what stays.
 * Contract: pure; never mutates; doing it twice changes nothing.
 */
export function prune(
  entries: readonly SessionStoreEntry[],
  { policy, turnInterrupted }: PruneOptions,
): { readonly entries: readonly SessionStoreEntry[]; readonly report: PruneReport } {
  const pinned = pinnedUuids(entries);
  const errors = policy.dropApiErrors ? apiErrors(entries, pinned) : new Set<SessionStoreEntry>();
  const withoutErrors = relink(entries, errors);
  const neutral = policy.neutralizeInterrupts
    ? neutralizeInterrupts(withoutErrors, { interruptText: policy.interruptText, turnInterrupted })
    : { entries: withoutErrors, report: { interrupts: 0 } };
  const allowed = dropDenials(neutral.entries, { keepDenials: policy.keepDenials, pinned });
  return {
    entries: relink(allowed.entries, allowed.emptied),
    report: {
      apiErrors: errors.size,
      interrupts: neutral.report.interrupts,
      denials: allowed.report.denials,
    },
  };
}

/** An error with a tool call in it has never been seen; its result would be left alone, so it stays. */
function apiErrors(
  entries: readonly SessionStoreEntry[],
  pinned: ReadonlySet<string>,
): ReadonlySet<SessionStoreEntry> {
  return new Set(
    entries.filter(
      (entry) =>
        isApiError(entry) &&
        !isProtected(entry) &&
        toolUsesOf(entry).length === 0 &&
        !pinned.has(uuidOf(entry) ?? ""),
    ),
  );
}
