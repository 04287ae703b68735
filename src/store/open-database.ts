import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { errorText, FlowerError } from "../base/errors.ts";
import { ensureDirectory, setAside, withFileLock } from "../base/files.ts";
import { oneLine } from "../base/text.ts";
import type { StoreMessages } from "../lang/messages/store.ts";
import { connect, type Database, isDamage } from "./database.ts";
import { checkRows } from "./rows.ts";
import {
  isWriteAhead,
  prepareSchema,
  SCHEMA_VERSION,
  schemaKind,
  schemaVersion,
  setDurability,
} from "./schema.ts";

export interface OpenOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly say: StoreMessages;
}

/** A database ready for use, and what the user must be told about how it came to be. */
export interface OpenedDatabase {
  readonly database: Database;
  readonly notices: readonly string[];
}

/**
 * Opens `sessions.db`, makes it, takes over the Python original's, or starts anew beside a damaged one.
 *
 * Contract: nothing is lost. A damaged file keeps its bytes under another name, with its log beside it; a file of
 * a newer flower or of another program is not written to (`store/schema-too-new`, `store/foreign-database`).
 * The usual case takes no lock; making, converting and setting aside are serialised between processes.
 */
export function openSessionDatabase(options: OpenOptions): OpenedDatabase {
  ensureDirectory(dirname(options.path));
  const ready = existsSync(options.path) ? openExisting(options) : undefined;
  if (ready?.condition.kind === "ready") return { database: ready.database, notices: [] };
  ready?.database.close();
  return withFileLock(options.path, () => prepare(options));
}

type Condition =
  | { readonly kind: "ready" }
  | { readonly kind: "unprepared" }
  | { readonly kind: "damaged"; readonly why: string };

interface Examined {
  readonly database: Database;
  readonly condition: Condition;
}

function prepare(options: OpenOptions): OpenedDatabase {
  createPrivately(options);
  const found = openExisting(options);
  if (found.condition.kind !== "damaged")
    return { database: makeReady(found.database, options), notices: [] };
  found.database.close();
  const kept = setDatabaseAside(options);
  createPrivately(options);
  return {
    database: makeReady(openExisting(options).database, options),
    notices: [options.say.setAside(options.path, kept, found.condition.why)],
  };
}

/**
 * A transcript may hold secrets: the file is the owner's alone from its first moment; SQLite's log follows suit.
 * Never on a file that exists: closing our descriptor would drop the locks that this process's connections hold.
 */
function createPrivately({ path, say }: OpenOptions): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (thrown) {
    throw cannotOpen({ path, say }, thrown);
  }
}

function openExisting(options: OpenOptions): Examined {
  const database = attempt(options, () => connect(options.path));
  try {
    return { database, condition: examine(database, options) };
  } catch (thrown) {
    database.close();
    throw thrown instanceof FlowerError ? thrown : cannotOpen(options, thrown);
  }
}

function examine(database: Database, { path, say }: OpenOptions): Condition {
  try {
    const version = schemaVersion(database);
    if (version > SCHEMA_VERSION) {
      throw new FlowerError("store/schema-too-new", say.schemaTooNew(path, version, SCHEMA_VERSION), {
        hint: say.schemaTooNewHint,
      });
    }
    const [first] = checkRows.parse(database.all("PRAGMA quick_check(1)"));
    if (first?.quick_check !== "ok")
      return { kind: "damaged", why: oneLine(first?.quick_check ?? "quick_check") };
    const kind = schemaKind(database);
    if (kind === "foreign") {
      throw new FlowerError("store/foreign-database", say.foreign(path), { hint: say.foreignHint });
    }
    if (kind === "unprepared" || version < SCHEMA_VERSION || !isWriteAhead(database))
      return { kind: "unprepared" };
    setDurability(database);
    return { kind: "ready" };
  } catch (thrown) {
    if (isDamage(thrown)) return { kind: "damaged", why: errorText(thrown) };
    throw thrown;
  }
}

function makeReady(database: Database, options: OpenOptions): Database {
  try {
    database.get("PRAGMA journal_mode = WAL");
    setDurability(database);
    prepareSchema(database);
    return database;
  } catch (thrown) {
    database.close();
    throw cannotOpen(options, thrown);
  }
}

/**
 * The log and its index belong to the file: recovery tools look for them under the same name. Moving them under
 * the closed connection is sound: SQLite sees that its file has moved and neither folds nor deletes a log then.
 */
function setDatabaseAside({ path, clock }: OpenOptions): string {
  const kept = setAside(path, clock.now());
  for (const suffix of ["-wal", "-shm"]) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  }
  return kept;
}

function attempt<T>(options: OpenOptions, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw cannotOpen(options, thrown);
  }
}

function cannotOpen({ path, say }: Pick<OpenOptions, "path" | "say">, cause: unknown): FlowerError {
  return new FlowerError("store/cannot-open", say.cannotOpen(path, errorText(cause)), {
    hint: say.cannotOpenHint,
    cause,
  });
}
