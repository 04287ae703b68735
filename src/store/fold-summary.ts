import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from "./types.ts";

/** What one persisted batch does to the summary of its session. */
export interface SummaryFold {
  readonly previous: SessionSummaryEntry | undefined;
  readonly key: SessionKey;
  /** Only entries that were really added: a replayed one must not count again. */
  readonly added: readonly SessionStoreEntry[];
  /** Write time of the batch, milliseconds since the epoch. */
  readonly mtime: number;
}

/**
 * The next summary. The fold itself is the SDK's: the content of `data` is its business, and a copy of its rules
 * would go stale. This file is the only one of the folder that imports the SDK.
 */
export function foldSummary({ previous, key, added, mtime }: SummaryFold): SessionSummaryEntry {
  return foldSessionSummary(previous, { ...key }, [...added], { mtime });
}
