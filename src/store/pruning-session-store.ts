import { heal } from "./heal.ts";
import { type PrunePolicy, type ResolvedPrunePolicy, resolvePrunePolicy } from "./policies.ts";
import { prune } from "./prune.ts";
import { reviveAgents } from "./revive.ts";
import { TrimmingSessionStore, type TrimmingSessionStoreOptions } from "./trimming-session-store.ts";
import type { SessionKey, SessionStoreEntry } from "./types.ts";

export interface PruningSessionStoreOptions extends TrimmingSessionStoreOptions {
  /** `true`, the default: as `PrunePolicy` says; `false`: nothing is taken out or mended. */
  readonly prune?: PrunePolicy | boolean;
}

/**
 * The top layer, the one that `Runtime` uses: feeds back what was work. After expiring and trimming, `load` drops
 * API errors and old denials, says of interrupts what they were, gives unanswered calls a result, and lifts the
 * ban on continuing subagents that were stopped.
 *
 * Order matters: mending comes last, when it is settled which calls and which parents are still there.
 */
export class PruningSessionStore extends TrimmingSessionStore {
  readonly prunePolicy: ResolvedPrunePolicy;

  /** Throws `store/bad-policy`, and what the layers below throw. */
  constructor(options: PruningSessionStoreOptions) {
    super(options);
    try {
      this.prunePolicy = resolvePrunePolicy(options.prune, this.lang);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** API errors that the last resume dropped. */
  get pruned(): number {
    return this.lastReport.apiErrors;
  }

  /** Denied calls that the last resume dropped. */
  get denialsDropped(): number {
    return this.lastReport.denials;
  }

  override async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const trimmed = await super.load(key);
    if (trimmed === null) return null;
    const policy = this.prunePolicy;
    const pruned = prune(trimmed, { policy, turnInterrupted: this.say.turnInterrupted });
    this.report(pruned.report);
    const healed = policy.healOrphans ? heal(pruned.entries, { noResult: this.say.noResult }) : undefined;
    if (healed !== undefined) this.report(healed.report);
    const entries = healed?.entries ?? pruned.entries;
    if (!policy.reviveAgents) return [...entries];
    const revived = reviveAgents(entries);
    this.report(revived.report);
    return [...revived.entries];
  }
}
