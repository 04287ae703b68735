import { STORE_MESSAGES } from "../../src/lang/messages/store.ts";
import { expire } from "../../src/store/expire.ts";
import { heal } from "../../src/store/heal.ts";
import { resolveEphemeralPolicy, resolvePrunePolicy, resolveTrimPolicy } from "../../src/store/policies.ts";
import { prune } from "../../src/store/prune.ts";
import { trim } from "../../src/store/trim.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";

const say = STORE_MESSAGES.en;

/** Small numbers, so that small transcripts meet every rule. */
export interface Knobs {
  readonly keepRecent: number;
  readonly minChars: number;
  readonly keepDenials: number;
}

/** The pure steps in the order of the stores' `load`, without a database and without files. */
export function feedBack(
  entries: readonly SessionStoreEntry[],
  { keepRecent, minChars, keepDenials }: Knobs,
) {
  const expired = expire(entries, resolveEphemeralPolicy({ keepRecent }));
  const trimmed = trim(expired.entries, {
    policy: resolveTrimPolicy({ keepRecent, minChars }),
    directory: "/ws/.flower/spill",
    say,
  });
  const pruned = prune(trimmed.entries, {
    policy: resolvePrunePolicy({ keepDenials }),
    turnInterrupted: say.turnInterrupted,
  });
  return heal(pruned.entries, { noResult: say.noResult }).entries;
}
