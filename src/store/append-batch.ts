import { errorText, FlowerError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { StoreMessages } from "../lang/messages/store.ts";
import type { Database } from "./database.ts";
import { foldSummary } from "./fold-summary.ts";
import { type StateRow, stateRow, summaryData } from "./rows.ts";
import { storeKeyOf } from "./store-key.ts";
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from "./types.ts";

interface Batch {
  readonly key: SessionKey;
  readonly entries: readonly SessionStoreEntry[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly say: StoreMessages;
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
export function appendBatch(database: Database, { key, entries, now, say }: Batch): void {
  const storeKey = storeKeyOf(key);
  if (entries.length === 0) return;
  const payloads = entries.map((entry, index) => payloadOf(entry, { index, storeKey, say }));
  database.transaction(() => {
    const before = stateBefore(database, { key, storeKey });
    const firstSeq = before.next_seq ?? 0;
    const added: SessionStoreEntry[] = [];
    entries.forEach((entry, index) => {
      const row = [storeKey, firstSeq + added.length, uidOf(entry), payloads[index] ?? ""];
      if (database.run(INSERT_ENTRY, row) > 0) added.push(entry);
    });
    if (added.length === 0) return;
    const mtime = nextMtime(before.last_mtime, now);
    database.run(UPSERT_META, [storeKey, mtime, firstSeq + added.length]);
    if (key.subpath !== undefined) return;
    const summary = foldSummary({ previous: storedSummary(before, key), key, added, mtime });
    database.run(UPSERT_SUMMARY, [
      key.projectKey,
      key.sessionId,
      summary.mtime,
      JSON.stringify(summary.data),
    ]);
  });
}

/** Throws `store/not-storable` for what is no JSON (a circle, a BigInt) or longer than a string can be. */
function payloadOf(
  entry: SessionStoreEntry,
  {
    index,
    storeKey,
    say,
  }: { readonly index: number; readonly storeKey: string; readonly say: StoreMessages },
): string {
  let cause: unknown;
  try {
    const payload: unknown = JSON.stringify(entry);
    if (typeof payload === "string") return payload;
  } catch (thrown) {
    cause = thrown;
  }
  const name = entry.uuid === undefined ? entry.type : `${entry.type} ${entry.uuid}`;
  const why = cause === undefined ? "no JSON" : oneLine(errorText(cause));
  throw new FlowerError("store/not-storable", say.notStorable({ number: index + 1, name, storeKey, why }), {
    hint: say.notStorableHint,
    cause,
  });
}

function uidOf(entry: SessionStoreEntry): string | null {
  return typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : null;
}

/** All that a batch goes on from, in one question: a batch of one entry costs little more than its insert. */
const SELECT_BEFORE = `SELECT next_seq, (SELECT MAX(mtime) FROM meta) AS last_mtime, summaries.mtime AS summary_mtime, data
  FROM (SELECT 1) LEFT JOIN meta ON store_key = ? LEFT JOIN summaries ON project_key = ? AND session_id = ?`;

function stateBefore(
  database: Database,
  { key, storeKey }: { readonly key: SessionKey; readonly storeKey: string },
) {
  return stateRow.parse(database.get(SELECT_BEFORE, [storeKey, key.projectKey, key.sessionId]));
}

/**
 * Strictly after every time in the file: the SDK compares the times of a listing and of a summary to find stale
 * ones, and two equal ones, or a clock that was set back, would fool it. Asked of the file, since other processes
 * write too.
 */
function nextMtime(last: number | null, now: number): number {
  return Math.max(Math.floor(now), (last ?? 0) + 1);
}

function storedSummary(
  { summary_mtime: mtime, data }: StateRow,
  { sessionId }: SessionKey,
): SessionSummaryEntry | undefined {
  if (mtime === null || data === null) return undefined;
  return { sessionId, mtime, data: summaryData.parse(JSON.parse(data)) };
}
