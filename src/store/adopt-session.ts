import type { Database } from "./database.ts";
import { entryOf, keyRows, payloadRows, projectRows } from "./rows.ts";
import { keysBelow, storeKeyOf } from "./store-key.ts";

/** Whether a session that began in `cwd` may be taken along; undefined when its rows do not tell. */
export type MayAdopt = (cwd: string | undefined) => boolean;

/**
 * Files a session under `projectKey` when it is filed under another one and may be taken from there: the workspace was
 * moved or copied, or another program names its projects differently. Its rows stay as they are; false when there is
 * no such session.
 */
export function adoptSession(
  database: Database,
  { projectKey, sessionId, mayAdopt }: { projectKey: string; sessionId: string; mayAdopt: MayAdopt },
): boolean {
  const target = storeKeyOf({ projectKey, sessionId });
  if (hasRows(database, target)) return true;
  const [from] = projectRows
    .parse(
      database.all(
        `SELECT substr(store_key, 1, instr(store_key, '/') - 1) AS project FROM meta
         WHERE substr(store_key, instr(store_key, '/') + 1) = ? ORDER BY mtime DESC`,
        [sessionId],
      ),
    )
    .map(({ project }) => project);
  if (from === undefined) return false;
  const source = storeKeyOf({ projectKey: from, sessionId });
  if (!mayAdopt(cwdOf(database, source))) return false;
  database.transaction(() => {
    for (const key of [source, ...keysUnder(database, source)]) {
      const moved = `${target}${key.slice(source.length)}`;
      for (const table of ["entries", "meta"])
        database.run(`UPDATE ${table} SET store_key = ? WHERE store_key = ?`, [moved, key]);
    }
    database.run("UPDATE summaries SET project_key = ? WHERE project_key = ? AND session_id = ?", [
      projectKey,
      from,
      sessionId,
    ]);
  });
  return true;
}

function hasRows(database: Database, storeKey: string): boolean {
  return database.get("SELECT 1 AS found FROM entries WHERE store_key = ? LIMIT 1", [storeKey]) !== undefined;
}

/** Rows at the beginning of a transcript among which one tells where it began; some rows have no such field. */
const ROWS_THAT_TELL = 20;

/** The directory in which a session began. Later rows may name another: a shell that moved on, a worktree. */
function cwdOf(database: Database, storeKey: string): string | undefined {
  const rows = payloadRows.parse(
    database.all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq LIMIT ?", [
      storeKey,
      ROWS_THAT_TELL,
    ]),
  );
  for (const { payload } of rows) {
    const cwd = entryOf(payload)?.["cwd"];
    if (typeof cwd === "string" && cwd !== "") return cwd;
  }
  return undefined;
}

function keysUnder(database: Database, storeKey: string): string[] {
  const { from, to } = keysBelow(storeKey);
  return keyRows
    .parse(database.all("SELECT store_key FROM meta WHERE store_key >= ? AND store_key < ?", [from, to]))
    .map((row) => row.store_key);
}
