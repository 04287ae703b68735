import Libsql from "libsql";
import { errnoOf, errorText } from "../base/errors.ts";

/** What a column holds and a parameter may be. */
export type SqlValue = string | number | null;

/** One connection. Rows come back as `unknown`: whoever asks narrows them (store/rows.ts). */
export interface Database {
  all(sql: string, parameters?: readonly SqlValue[]): readonly unknown[];
  /** The rows one after the other, so that no more than a few are held; to be read to the end before the next call. */
  each(sql: string, parameters?: readonly SqlValue[]): Iterable<unknown>;
  /** The first row, or undefined. */
  get(sql: string, parameters?: readonly SqlValue[]): unknown;
  /** Rows changed. */
  run(sql: string, parameters?: readonly SqlValue[]): number;
  /** Statements without parameters or result. */
  exec(sql: string): void;
  /**
   * Runs `work` under the write lock, taken at once (`BEGIN IMMEDIATE`): reading first and locking later could
   * fail half-way with a snapshot that somebody else outdated. All of it is kept, or nothing when it throws.
   */
  transaction<T>(work: () => T): T;
  /** Folds the write-ahead log into the file and lets go. Calling it again does nothing. */
  close(): void;
}

/** How long a statement waits for another process's write lock. The event loop stands still meanwhile. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens or creates the file. The driver stands in this file alone, so that another one is a change of one import.
 *
 * Quirks of libsql 0.5.29 that this hides: `readonly` is ignored; `pluck` does nothing for `get`; a lone `null`
 * parameter must be wrapped in an array; prepared statements keep the file open after `close()` until they are
 * collected, so the log is folded in explicitly.
 */
export function connect(path: string): Database {
  const connection = new Libsql(path, { timeout: BUSY_TIMEOUT_MS });
  const statements = new Map<string, ReturnType<typeof connection.prepare>>();
  let open = true;
  const prepared = (sql: string): ReturnType<typeof connection.prepare> => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    all: (sql, parameters = []) => prepared(sql).all([...parameters]),
    each: (sql, parameters = []) => prepared(sql).iterate([...parameters]),
    get: (sql, parameters = []) => prepared(sql).get([...parameters]),
    run: (sql, parameters = []) => prepared(sql).run([...parameters]).changes,
    exec: (sql) => {
      connection.exec(sql);
    },
    transaction: (work) => {
      prepared("BEGIN IMMEDIATE").run([]);
      try {
        const result = work();
        prepared("COMMIT").run([]);
        return result;
      } catch (thrown) {
        // A full disk makes SQLite roll back by itself; a second ROLLBACK would hide the first error.
        if (connection.inTransaction) connection.exec("ROLLBACK");
        throw thrown;
      }
    },
    close: () => {
      if (!open) return;
      open = false;
      statements.clear();
      try {
        connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // Another process is writing, or the file is damaged: the log stays beside the file and is read next time.
      }
      connection.close();
    },
  };
}

/** Whether an error says that the file is no database, or a damaged one. Busy, full or read-only are not that. */
export function isDamage(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  if (code !== undefined) return code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT");
  return errorText(thrown).includes("file is not a database");
}

/** Whether somebody else held the lock for longer than we wait. */
export function isBusy(thrown: unknown): boolean {
  return errnoOf(thrown)?.startsWith("SQLITE_BUSY") === true || errorText(thrown) === "database is locked";
}
