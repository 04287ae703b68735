import type { Database } from "./database.ts";
import { entryOf, payloadRows } from "./rows.ts";
import { contextTokensOf } from "./transcript.ts";

/** Rows that are looked at, newest first, when the caller names no number (SPEC 11). */
export const DEFAULT_SCAN = 60;

/** Tokens in the context at the last assistant message among the newest `scan` rows; 0 when none of them tells. */
export function lastContextOf(database: Database, storeKey: string, scan: number = DEFAULT_SCAN): number {
  const rows = payloadRows.parse(
    database.all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq DESC LIMIT ?", [
      storeKey,
      scan,
    ]),
  );
  for (const { payload } of rows) {
    const entry = entryOf(payload);
    const tokens = entry === undefined ? 0 : contextTokensOf(entry);
    if (tokens > 0) return tokens;
  }
  return 0;
}
