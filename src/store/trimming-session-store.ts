import { resolve } from "node:path";
import { errorText } from "../base/errors.ts";
import { expire } from "./expire.ts";
import { addToReport, EMPTY_REPORT, type LoadReport } from "./load-report.ts";
import {
  type EphemeralPolicy,
  type ResolvedEphemeralPolicy,
  type ResolvedTrimPolicy,
  resolveEphemeralPolicy,
  resolveTrimPolicy,
  type TrimPolicy,
} from "./policies.ts";
import { spillDirectory, writeSpills } from "./spill-files.ts";
import { SqliteSessionStore, type SqliteSessionStoreOptions } from "./sqlite-session-store.ts";
import { trim } from "./trim.ts";
import type { SessionKey, SessionStoreEntry } from "./types.ts";

export interface TrimmingSessionStoreOptions extends SqliteSessionStoreOptions {
  /** Where spills lie, and the agent's working directory. */
  readonly workspace: string;
  /** `true`, the default: as `TrimPolicy` says; `false`: large results are fed back in full. */
  readonly trim?: TrimPolicy | boolean;
  /** `true`, the default: as `EphemeralPolicy` says; `false`: nothing expires. */
  readonly ephemeral?: EphemeralPolicy | boolean;
}

/**
 * The middle layer: feeds back less. `load` replaces what went stale, then what is large and old; the database
 * keeps every word.
 *
 * Contract: a pointer is handed on only when its file is on disk; when it cannot be written, the results are fed
 * back in full and `notices` says so, since a session that cannot be resumed would be worse than a large one.
 */
export class TrimmingSessionStore extends SqliteSessionStore {
  /** Absolute. */
  readonly workspace: string;
  readonly trimPolicy: ResolvedTrimPolicy;
  readonly ephemeralPolicy: ResolvedEphemeralPolicy;
  readonly #spillDirectory: string;
  #lastReport = EMPTY_REPORT;
  #reportOf = "";

  /** Throws `store/bad-policy`, `store/spill-outside-workspace`, and what the ground layer throws. */
  constructor(options: TrimmingSessionStoreOptions) {
    super(options);
    try {
      this.workspace = resolve(options.workspace);
      this.trimPolicy = resolveTrimPolicy(options.trim, this.lang);
      this.ephemeralPolicy = resolveEphemeralPolicy(options.ephemeral, this.lang);
      this.#spillDirectory = spillDirectory(this.spillPlace());
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /**
   * What the last resume changed. A resume loads the main transcript and then its subagents': loading a main one
   * starts the count, its subagents add to it.
   */
  get lastReport(): LoadReport {
    return this.#lastReport;
  }

  override async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const raw = await super.load(key);
    this.startReport(key);
    if (raw === null) return null;
    const fresh = this.ephemeralPolicy.enabled ? this.expireStale(raw) : raw;
    return [...(this.trimPolicy.enabled ? this.trimLarge(fresh) : fresh)];
  }

  /** Adds to `lastReport`. */
  protected report(counts: Partial<LoadReport>): void {
    this.#lastReport = addToReport(this.#lastReport, counts);
  }

  private startReport(key: SessionKey): void {
    const session = `${key.projectKey}/${key.sessionId}`;
    if (key.subpath !== undefined && session === this.#reportOf) return;
    this.#reportOf = session;
    this.#lastReport = EMPTY_REPORT;
  }

  private expireStale(entries: readonly SessionStoreEntry[]): readonly SessionStoreEntry[] {
    const expired = expire(entries, this.ephemeralPolicy);
    this.report(expired.report);
    return expired.entries;
  }

  private trimLarge(entries: readonly SessionStoreEntry[]): readonly SessionStoreEntry[] {
    const trimmed = trim(entries, {
      policy: this.trimPolicy,
      directory: this.#spillDirectory,
      say: this.say,
    });
    try {
      writeSpills(this.spillPlace(), trimmed.spills);
    } catch (thrown) {
      this.notify(this.say.spillFailed(this.#spillDirectory, errorText(thrown)));
      return entries;
    }
    this.report(trimmed.report);
    return trimmed.entries;
  }

  private spillPlace() {
    return { workspace: this.workspace, spillDirname: this.trimPolicy.spillDirname, say: this.say };
  }
}
