import type { Database } from "./database.ts";
import { foldSummary } from "./fold-summary.ts";
import { lastTimeRow, metaRow, summaryData, summaryRows } from "./rows.ts";
import { storeKeyOf } from "./store-key.ts";
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from "./types.ts";

interface Batch {
  readonly key: SessionKey;
  readonly entries: readonly SessionStoreEntry[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The unique index does the dedup, against what is stored and within the batch. Only its conflict is swallowed:
 * a clash of (store_key, seq) would be a bug of ours and must throw.
 */
const INSERT_ENTRY = `INSERT INTO entries (store_key, seq, uid, payload) VALUES (?, ?, ?, ?)
  ON CONFLICT(store_key, uid) WHERE uid IS NOT NULL DO NOTHING`;

const UPSERT_META = `INSERT INTO meta (store_key, mtime, next_seq) VALUES (?, ?, ?)
  ON CONFLICT(store_key) DO UPDATE SET mtime = excluded.mtime, next_seq = excluded.next_seq`;

const UPSERT_SUMMARY = `INSERT INTO summaries (project_key, session_id, mtime, data) VALUES (?, ?, ?, ?)
  ON CONFLICT(project_key, session_id) DO UPDATE SET mtime = excluded.mtime, data = excluded.data`;

/** Stores one batch in one transaction; see `SqliteSessionStore` for what that promises. */
export function appendBatch(database: Database, { key, entries, now }: Batch): void {
  const storeKey = storeKeyOf(key);
  if (entries.length === 0) return;
  const payloads = entries.map((entry) => JSON.stringify(entry));
  database.transaction(() => {
    const firstSeq = nextSeq(database, storeKey);
    const added: SessionStoreEntry[] = [];
    entries.forEach((entry, index) => {
      const row = [storeKey, firstSeq + added.length, uidOf(entry), payloads[index] ?? ""];
      if (database.run(INSERT_ENTRY, row) > 0) added.push(entry);
    });
    if (added.length === 0) return;
    const mtime = nextMtime(database, now);
    database.run(UPSERT_META, [storeKey, mtime, firstSeq + added.length]);
    if (key.subpath !== undefined) return;
    const summary = foldSummary({ previous: storedSummary(database, key), key, added, mtime });
    database.run(UPSERT_SUMMARY, [
      key.projectKey,
      key.sessionId,
      summary.mtime,
      JSON.stringify(summary.data),
    ]);
  });
}

function uidOf(entry: SessionStoreEntry): string | null {
  return typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : null;
}

function nextSeq(database: Database, storeKey: string): number {
  const row = database.get("SELECT mtime, next_seq FROM meta WHERE store_key = ?", [storeKey]);
  return row === undefined ? 0 : metaRow.parse(row).next_seq;
}

/**
 * Strictly after every time in the file: the SDK compares the times of a listing and of a summary to find stale
 * ones, and two equal ones, or a clock that was set back, would fool it. Asked of the file, since other processes
 * write too.
 */
function nextMtime(database: Database, now: number): number {
  const last = lastTimeRow.parse(database.get("SELECT MAX(mtime) AS mtime FROM meta")).mtime ?? 0;
  return Math.max(Math.floor(now), last + 1);
}

function storedSummary(
  database: Database,
  { projectKey, sessionId }: SessionKey,
): SessionSummaryEntry | undefined {
  const rows = summaryRows.parse(
    database.all("SELECT session_id, mtime, data FROM summaries WHERE project_key = ? AND session_id = ?", [
      projectKey,
      sessionId,
    ]),
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { sessionId: row.session_id, mtime: row.mtime, data: summaryData.parse(JSON.parse(row.data)) };
}
