import type { Database } from "./database.ts";
import { keysBelow, storeKeyOf } from "./store-key.ts";
import type { SessionKey } from "./types.ts";

/** Deletes a transcript in one transaction: a session goes with all its subagents, a key with a subpath goes alone. */
export function deleteTranscripts(database: Database, key: SessionKey): void {
  const storeKey = storeKeyOf(key);
  const { from, to } = keysBelow(storeKey);
  database.transaction(() => {
    for (const table of ["entries", "meta"]) {
      database.run(`DELETE FROM ${table} WHERE store_key = ?`, [storeKey]);
      if (key.subpath !== undefined) continue;
      database.run(`DELETE FROM ${table} WHERE store_key >= ? AND store_key < ?`, [from, to]);
    }
    if (key.subpath !== undefined) return;
    database.run("DELETE FROM summaries WHERE project_key = ? AND session_id = ?", [
      key.projectKey,
      key.sessionId,
    ]);
  });
}
