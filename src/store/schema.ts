import type { Database } from "./database.ts";
import { journalRow, tableRows, versionRow } from "./rows.ts";

/**
 * `PRAGMA user_version` of the files we write.
 *
 * History:
 * 0  the Python original: the three tables below. Same tables, so we take such a file over by setting 1.
 * 1  this one.
 */
export const SCHEMA_VERSION = 1;

/** The original's schema to the letter (SPEC 11), so that either program reads the other's file. */
const CREATE_TABLES = `
CREATE TABLE IF NOT EXISTS entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL,
                      PRIMARY KEY (store_key, seq));
CREATE UNIQUE INDEX IF NOT EXISTS entries_uid ON entries(store_key, uid) WHERE uid IS NOT NULL;
CREATE TABLE IF NOT EXISTS meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL, mtime INTEGER NOT NULL,
                        data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));
`;

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  entries: ["store_key", "seq", "uid", "payload"],
  meta: ["store_key", "mtime", "next_seq"],
  summaries: ["project_key", "session_id", "mtime", "data"],
};

export function schemaVersion(database: Database): number {
  return versionRow.parse(database.get("PRAGMA user_version")).user_version;
}

/** `ours`: all tables are there; `empty` or partly made: `unprepared`; anything else is somebody else's file. */
export function schemaKind(database: Database): "ours" | "unprepared" | "foreign" {
  const tables = names(
    database,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const known = Object.keys(COLUMNS).filter((table) => tables.includes(table));
  if (known.length === 0) return tables.length === 0 ? "unprepared" : "foreign";
  for (const table of known) {
    const found = names(database, `SELECT name FROM pragma_table_info('${table}')`);
    if (COLUMNS[table]?.some((column) => !found.includes(column)) === true) return "foreign";
  }
  return known.length === Object.keys(COLUMNS).length ? "ours" : "unprepared";
}

/** Creates what is missing and marks the file as ours. Only ever adds; needs the write lock for a moment. */
export function prepareSchema(database: Database): void {
  database.transaction(() => {
    database.exec(CREATE_TABLES);
    if (schemaVersion(database) < SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** Whether the file is in write-ahead mode; a mode of the file, not of the connection. */
export function isWriteAhead(database: Database): boolean {
  return journalRow.parse(database.get("PRAGMA journal_mode")).journal_mode === "wal";
}

/**
 * Pages of the log before they are folded into the file, 16 MB. SQLite's own 1000 make every batch pay for two waits
 * for the disk in a hundred: a third of what appending takes. A log of this size is read again in a few milliseconds.
 */
const LOG_PAGES = 4000;

/**
 * Durability: with a write-ahead log and NORMAL, a batch that `append` has resolved survives the death of this
 * process at any moment (kill -9 included). A power loss may take the last batches, never the file's integrity.
 * Where the file system refuses a write-ahead log the rollback journal is used, which needs FULL for the same.
 */
export function setDurability(database: Database): void {
  database.exec(`PRAGMA synchronous = ${isWriteAhead(database) ? "NORMAL" : "FULL"}`);
  database.get(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
}

function names(database: Database, sql: string): readonly string[] {
  return tableRows.parse(database.all(sql)).map((row) => row.name);
}
