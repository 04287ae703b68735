import { type Clock, systemClock } from "../base/clock.ts";
import { errorText, FlowerError } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import type { Lang } from "../lang/lang.ts";
import { STORE_MESSAGES, type StoreMessages } from "../lang/messages/store.ts";
import { adoptSession, type MayAdopt } from "./adopt-session.ts";
import { appendBatch } from "./append-batch.ts";
import { BUSY_TIMEOUT_MS, type Database, isBusy } from "./database.ts";
import { deleteTranscripts } from "./delete-transcripts.ts";
import { DEFAULT_SCAN, lastContextOf } from "./last-context.ts";
import { type LocalTranscript, readLocalTranscripts } from "./local-transcripts.ts";
import { missingEntries } from "./missing-entries.ts";
import { openSessionDatabase } from "./open-database.ts";
import { entryOf, keyRows, keyTimeRows, payloadRow, projectRows, summaryData, summaryRows } from "./rows.ts";
import { isKeyPart, keysBelow, projectRange, storeKeyOf } from "./store-key.ts";
import type {
  SessionKey,
  SessionListing,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "./types.ts";

export interface SqliteSessionStoreOptions {
  /** Of `sessions.db`; the directory is created. */
  readonly path: string;
  /** Of what the store says. Default `en`. */
  readonly lang?: Lang;
  readonly clock?: Clock;
}

/**
 * Every transcript of a run directory, in one SQLite file: the ground layer, which keeps everything.
 *
 * Contract:
 * - `append` is one transaction: the batch, its time and the summary are kept together or not at all. An entry
 *   whose `uuid` is already stored is skipped; a batch that adds nothing changes neither time nor summary. Entries
 *   without a uuid are appended always.
 * - `load` gives what was appended, deep-equal, in order; null for a key that was never written.
 * - Times are strictly increasing over the whole file, over processes, whatever the clock does; `listSessions`
 *   and `listSessionSummaries` agree on them.
 * - Durability: see `setDurability` in store/schema.ts.
 * - Failures reject with a `FlowerError`, leave what is stored as it is, and do not stand in the way of the next
 *   batch: `store/locked` when another program holds the write lock for longer than `BUSY_TIMEOUT_MS` (until then it is
 *   waited for), `store/not-storable` for an entry that is no JSON, `store/database-failed`, `store/closed`,
 *   `store/invalid-key`. There is no limit on the size of an entry but SQLite's of 1 GB.
 */
export class SqliteSessionStore implements SessionStore {
  readonly path: string;
  readonly lang: Lang;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #notices: string[];
  #open = true;

  /** Throws `store/cannot-open`, `store/schema-too-new`, `store/foreign-database` or `files/*`. */
  constructor(options: SqliteSessionStoreOptions) {
    this.path = options.path;
    this.lang = options.lang ?? "en";
    this.#clock = options.clock ?? systemClock;
    const opened = openSessionDatabase({
      path: this.path,
      clock: this.#clock,
      say: STORE_MESSAGES[this.lang],
    });
    this.#database = opened.database;
    this.#notices = [...opened.notices];
  }

  /** What people must be told: a file set aside, rows or spills that failed. In the store's language; grows. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    faultPoint("store/append");
    this.use((database) => appendBatch(database, { key, entries, now: this.#clock.now(), say: this.say }));
    faultPoint("store/appended");
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.#rows(key);
  }

  #rows(key: SessionKey): SessionStoreEntry[] | null {
    const storeKey = storeKeyOf(key);
    // Row by row: the texts of all rows beside the entries that they become would double what a resume takes.
    const entries: SessionStoreEntry[] = [];
    let unreadable = 0;
    this.use((database) => {
      const sql = "SELECT payload FROM entries WHERE store_key = ? ORDER BY seq";
      for (const row of database.each(sql, [storeKey])) {
        const entry = entryOf(payloadRow.parse(row).payload);
        if (entry === undefined) unreadable += 1;
        else entries.push(entry);
      }
    });
    if (entries.length + unreadable === 0) return null;
    if (unreadable > 0) this.notify(this.say.unreadableRows(unreadable, storeKey));
    return entries;
  }

  /**
   * Stores what the CLI wrote into `configDirectory` of a session and the store never got to see, because the process
   * that mirrors it died. Returns the number of rows added; a second call adds none. Throws `files/not-readable`.
   */
  async importLocal(
    configDirectory: string,
    session: Pick<SessionKey, "projectKey" | "sessionId">,
  ): Promise<number> {
    return this.addMissing(readLocalTranscripts(configDirectory, session));
  }

  /** Stores what of these transcripts it does not hold. Returns the number of rows added. */
  async addMissing(transcripts: readonly LocalTranscript[]): Promise<number> {
    let added = 0;
    for (const { key, entries } of transcripts) {
      const missing = missingEntries(entries, this.#rows(key) ?? []);
      await this.append(key, missing);
      added += missing.length;
    }
    return added;
  }

  async listSessions(projectKey: string): Promise<SessionListing[]> {
    const { from, to } = projectRange(projectKey);
    return this.use((database) =>
      keyTimeRows
        .parse(
          database.all("SELECT store_key, mtime FROM meta WHERE store_key >= ? AND store_key < ?", [
            from,
            to,
          ]),
        )
        .map((row) => ({ sessionId: row.store_key.slice(from.length), mtime: row.mtime }))
        .filter((session) => !session.sessionId.includes("/")),
    );
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return this.use((database) =>
      summaryRows
        .parse(
          database.all("SELECT session_id, mtime, data FROM summaries WHERE project_key = ?", [projectKey]),
        )
        .map((row) => ({
          sessionId: row.session_id,
          mtime: row.mtime,
          data: summaryData.parse(JSON.parse(row.data)),
        })),
    );
  }

  /** A session goes with all its subagents; a key with a subpath goes alone. */
  async delete(key: SessionKey): Promise<void> {
    this.use((database) => deleteTranscripts(database, key));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const { from, to } = keysBelow(storeKeyOf({ projectKey: key.projectKey, sessionId: key.sessionId }));
    return this.use((database) =>
      keyRows
        .parse(
          database.all(
            "SELECT store_key FROM meta WHERE store_key >= ? AND store_key < ? ORDER BY store_key",
            [from, to],
          ),
        )
        .map((row) => row.store_key.slice(from.length)),
    );
  }

  /** Project keys in the file, sorted: more than one when the workspace was moved or copied. */
  projects(): string[] {
    return this.use((database) =>
      projectRows
        .parse(
          database.all(
            "SELECT DISTINCT substr(store_key, 1, instr(store_key, '/') - 1) AS project FROM meta ORDER BY project",
          ),
        )
        .map((row) => row.project),
    );
  }

  /** Whether there is a main transcript of this session to resume; false for an id that none can have. */
  hasSession(projectKey: string, id: string): boolean {
    if (!isKeyPart(id)) return false;
    const storeKey = storeKeyOf({ projectKey, sessionId: id });
    return this.use(
      (database) =>
        database.get("SELECT 1 AS found FROM entries WHERE store_key = ? LIMIT 1", [storeKey]) !== undefined,
    );
  }

  /** Whether the main transcript of a session holds an entry with this uuid. */
  hasEntry(projectKey: string, id: string, uuid: string): boolean {
    const storeKey = storeKeyOf({ projectKey, sessionId: id });
    const sql = "SELECT 1 AS found FROM entries WHERE store_key = ? AND uid = ?";
    return this.use((database) => database.get(sql, [storeKey, uuid]) !== undefined);
  }

  /**
   * Whether there is such a session, wherever in the file it is filed; from now on it is filed under `projectKey`, with
   * its subagents. So a workspace that was moved or copied keeps its conversation (SPEC 20.10). `mayAdopt` has the word
   * where it is filed elsewhere.
   */
  adopt(projectKey: string, id: string, mayAdopt: MayAdopt = () => true): boolean {
    return (
      isKeyPart(id) && this.use((database) => adoptSession(database, { projectKey, sessionId: id, mayAdopt }))
    );
  }

  /**
   * Whether a subagent of a session can be gone on with: it has a transcript, and has not come to its end. One that was
   * cut off before its first row was written never was: the CLI finds nothing to go on with (2.1.332).
   */
  isUnfinished(projectKey: string, id: string, agentId: string): boolean {
    const entries = this.#rows({ projectKey, sessionId: id, subpath: `subagents/agent-${agentId}` }) ?? [];
    const metadata = entries.findLast(({ type }) => type === "agent_metadata");
    return entries.some(({ type }) => type === "user") && metadata?.["finished"] !== true;
  }

  /**
   * Tokens in the context of the main thread as its last assistant message reported them: input + cache read +
   * cache creation. Looks at the newest `scan` rows; 0 when none of them tells.
   */
  lastContext(
    projectKey: string,
    id: string,
    { scan = DEFAULT_SCAN }: { readonly scan?: number } = {},
  ): number {
    return this.use((database) => lastContextOf(database, storeKeyOf({ projectKey, sessionId: id }), scan));
  }

  /** Lets go of the file. What comes later rejects with `store/closed`; closing twice is nothing. */
  close(): void {
    this.#open = false;
    this.#database.close();
  }

  /** The store's sentences, for the layers above. */
  protected get say(): StoreMessages {
    return STORE_MESSAGES[this.lang];
  }

  /** Adds a line to `notices`; one line is said once. */
  protected notify(line: string): void {
    if (!this.#notices.includes(line)) this.#notices.push(line);
  }

  private use<T>(work: (database: Database) => T): T {
    const { say } = this;
    if (!this.#open) throw new FlowerError("store/closed", say.closed(this.path), { hint: say.closedHint });
    try {
      return work(this.#database);
    } catch (thrown) {
      if (thrown instanceof FlowerError) throw thrown;
      if (isBusy(thrown)) {
        throw new FlowerError("store/locked", say.locked(this.path, BUSY_TIMEOUT_MS / 1000), {
          hint: say.lockedHint,
          cause: thrown,
        });
      }
      throw new FlowerError("store/database-failed", say.cannotUse(this.path, errorText(thrown)), {
        hint: say.cannotUseHint,
        cause: thrown,
      });
    }
  }
}
