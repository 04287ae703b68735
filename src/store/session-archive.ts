import { existsSync } from "node:fs";
import { errorText, FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { sessionsMessages } from "../lang/messages/sessions.ts";
import { STORE_MESSAGES } from "../lang/messages/store.ts";
import { connect, type Database, isDamage } from "./database.ts";
import { deleteTranscripts } from "./delete-transcripts.ts";
import { lastContextOf } from "./last-context.ts";
import { reclaimSpace } from "./reclaim-space.ts";
import { idRows, keyRows, payloadRows, sizeRows, turnsRow } from "./rows.ts";
import { SCHEMA_VERSION, schemaKind, schemaVersion } from "./schema.ts";
import { keysBelow, storeKeyOf } from "./store-key.ts";
import type { SessionKey } from "./types.ts";

/** A session as the database holds it. */
export interface StoredSession {
  readonly projectKey: string;
  readonly sessionId: string;
  /** Last write into it or one of its subagents, milliseconds since the epoch. */
  readonly lastActiveMs: number;
  /** Of all its rows, those of its subagents included. */
  readonly bytes: number;
}

/** One transcript of a session, as stored. */
export interface StoredTranscript {
  /** Undefined for the main one. */
  readonly subpath: string | undefined;
  /** One JSON text a row, byte for byte. */
  readonly payloads: readonly string[];
}

type Session = Pick<SessionKey, "projectKey" | "sessionId">;

/**
 * The sessions of a run directory as somebody looks at them from outside: nothing is made, converted or set aside, and
 * a flower that works in the directory is not disturbed. For a step there is `SqliteSessionStore`.
 */
export interface SessionArchive {
  readonly path: string;
  /** The most recently active first. */
  sessions(): readonly StoredSession[];
  /** The main transcript, then those of its subagents by name. */
  transcripts(session: Session): readonly StoredTranscript[];
  /** Tokens in the context at its last reply; 0 when unknown. */
  contextOf(session: Session): number;
  /** Replies of the main thread. */
  turnsOf(session: Session): number;
  /** Uuids of the main transcript, in order. */
  uuidsOf(session: Session): readonly string[];
  /** Only of one opened for `change`. */
  delete(session: Session): void;
  /** As `reclaimSpace`. */
  reclaim(): boolean;
  close(): void;
}

/**
 * Opens the database of a run directory if there is one; undefined when there is none, or nothing in it yet. Without
 * `change` SQLite itself refuses every write. Throws `store/damaged`, `store/cannot-open`, `store/schema-too-new`,
 * `store/foreign-database`; its methods `store/database-failed`.
 */
export function openSessionArchive(
  path: string,
  { lang, change = false }: { readonly lang: Lang; readonly change?: boolean },
): SessionArchive | undefined {
  if (!existsSync(path)) return undefined;
  const database = open(path, lang);
  try {
    if (!isOurs(database, path, lang)) {
      database.close();
      return undefined;
    }
    if (!change) database.exec("PRAGMA query_only = 1");
  } catch (thrown) {
    database.close();
    throw thrown instanceof FlowerError ? thrown : cannotOpen(path, lang, thrown);
  }
  return archiveOf(database, path, lang);
}

function archiveOf(database: Database, path: string, lang: Lang): SessionArchive {
  const use = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof FlowerError) throw thrown;
      const say = STORE_MESSAGES[lang];
      throw new FlowerError("store/database-failed", say.cannotUse(path, errorText(thrown)), {
        hint: say.cannotUseHint,
        cause: thrown,
      });
    }
  };
  return {
    path,
    sessions: () => use(() => sessionsIn(database)),
    transcripts: (session) => use(() => transcriptsOf(database, session)),
    contextOf: (session) => use(() => lastContextOf(database, storeKeyOf(only(session)))),
    turnsOf: (session) =>
      use(() => turnsRow.parse(database.get(COUNT_TURNS, [storeKeyOf(only(session))])).turns),
    uuidsOf: (session) =>
      use(() => idRows.parse(database.all(SELECT_UUIDS, [storeKeyOf(only(session))])).map(({ uid }) => uid)),
    delete: (session) => use(() => deleteTranscripts(database, only(session))),
    reclaim: () => use(() => reclaimSpace(database)),
    close: () => database.close(),
  };
}

const SELECT_SIZES = `SELECT meta.store_key, meta.mtime,
    (SELECT COALESCE(SUM(octet_length(payload)), 0) FROM entries WHERE entries.store_key = meta.store_key) AS bytes
  FROM meta`;

/** Each block of a reply is a row of its own; they share the id of the message. */
const COUNT_TURNS = `SELECT COUNT(DISTINCT json_extract(payload, '$.message.id')) AS turns FROM entries
  WHERE store_key = ? AND json_valid(payload) AND json_extract(payload, '$.type') = 'assistant'`;

const SELECT_UUIDS = "SELECT uid FROM entries WHERE store_key = ? AND uid IS NOT NULL ORDER BY seq";

function sessionsIn(database: Database): StoredSession[] {
  const found = new Map<string, StoredSession>();
  for (const { store_key: storeKey, mtime, bytes } of sizeRows.parse(database.all(SELECT_SIZES))) {
    const [projectKey = "", sessionId = ""] = storeKey.split("/", 2);
    const name = `${projectKey}/${sessionId}`;
    const known = found.get(name) ?? { projectKey, sessionId, lastActiveMs: 0, bytes: 0 };
    found.set(name, {
      ...known,
      lastActiveMs: Math.max(known.lastActiveMs, mtime),
      bytes: known.bytes + bytes,
    });
  }
  return [...found.values()].sort((one, other) => other.lastActiveMs - one.lastActiveMs);
}

function transcriptsOf(database: Database, session: Session): StoredTranscript[] {
  const main = storeKeyOf(only(session));
  const { from, to } = keysBelow(main);
  const below = keyRows
    .parse(
      database.all("SELECT store_key FROM meta WHERE store_key >= ? AND store_key < ? ORDER BY store_key", [
        from,
        to,
      ]),
    )
    .map(({ store_key: storeKey }) => storeKey);
  return [main, ...below].map((storeKey) => ({
    subpath: storeKey === main ? undefined : storeKey.slice(from.length),
    payloads: payloadRows
      .parse(database.all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq", [storeKey]))
      .map(({ payload }) => payload),
  }));
}

/** Without what else a caller's object may carry: a `subpath` would change what is meant. */
function only({ projectKey, sessionId }: Session): Session {
  return { projectKey, sessionId };
}

function open(path: string, lang: Lang): Database {
  try {
    return connect(path);
  } catch (thrown) {
    throw cannotOpen(path, lang, thrown);
  }
}

/** The Python original's file counts: it has the same tables. False for an empty one. */
function isOurs(database: Database, path: string, lang: Lang): boolean {
  const say = STORE_MESSAGES[lang];
  const version = schemaVersion(database);
  if (version > SCHEMA_VERSION) {
    throw new FlowerError("store/schema-too-new", say.schemaTooNew(path, version, SCHEMA_VERSION), {
      hint: say.schemaTooNewHint,
    });
  }
  const kind = schemaKind(database);
  if (kind === "foreign") {
    throw new FlowerError("store/foreign-database", say.foreign(path), { hint: say.foreignHint });
  }
  return kind === "ours";
}

function cannotOpen(path: string, lang: Lang, cause: unknown): FlowerError {
  if (isDamage(cause)) {
    const say = sessionsMessages[lang];
    return new FlowerError("store/damaged", say.damaged(path, errorText(cause)), {
      hint: say.damagedHint,
      cause,
    });
  }
  const say = STORE_MESSAGES[lang];
  return new FlowerError("store/cannot-open", say.cannotOpen(path, errorText(cause)), {
    hint: say.cannotOpenHint,
    cause,
  });
}
