/**
 * The SDK's session-store contract as our own structural types (read from SDK 0.3.332), so that this folder
 * knows no SDK. `test/store/sdk-types.test.ts` holds them assignable in both directions that matter.
 */

/** A transcript: a session's main one, or with `subpath` one of its subagents' (`subagents/agent-<id>`). */
export interface SessionKey {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly subpath?: string;
}

/** One line of a transcript: opaque JSON with a type. Most carry a `uuid`, which makes appending idempotent. */
export type SessionStoreEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
};

/** The sidecar of a main transcript. `data` belongs to the SDK: kept verbatim, never interpreted. */
export type SessionSummaryEntry = {
  sessionId: string;
  /** Milliseconds since the epoch, of the same clock as `SessionListing.mtime`. */
  mtime: number;
  data: Record<string, unknown>;
};

/** A session and the time of its last write, in milliseconds since the epoch. */
export type SessionListing = {
  sessionId: string;
  mtime: number;
};

/** What the SDK asks of a store. All of it; the SDK itself makes the last four optional. */
export interface SessionStore {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions(projectKey: string): Promise<SessionListing[]>;
  listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete(key: SessionKey): Promise<void>;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
