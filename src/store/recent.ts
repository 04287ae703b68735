import { isStandIn } from "./heal.ts";
import { answeredIdsOf, isProtected } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * Ids of the calls with the newest `keep` tool results, whatever the tool, in the order of the file. Results that
 * `heal` made up do not count: they would push real ones out, and loading twice would differ.
 */
export function recentResultIds(entries: readonly SessionStoreEntry[], keep: number): ReadonlySet<string> {
  if (keep === 0) return new Set();
  return new Set(
    entries
      .filter((entry) => !isStandIn(entry))
      .flatMap(answeredIdsOf)
      .slice(-keep),
  );
}

/**
 * Whether an entry carries results whose text may be replaced. Not what a person or the harness must be able to say
 * in full (protected entries), not denials (the call never ran, and a person's words may stand there), and not what
 * `heal` made up.
 */
export function mayBeReplaced(entry: SessionStoreEntry): boolean {
  return (
    entry.type === "user" && entry.toolDenialKind === undefined && !isProtected(entry) && !isStandIn(entry)
  );
}
