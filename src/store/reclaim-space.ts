import { type Database, isBusy } from "./database.ts";

/**
 * Gives the space of deleted rows back to the disk. False, and nothing was changed, when somebody else has the file
 * open: rewriting it would hold up their writes for longer than they wait (five seconds), and a step would lose rows.
 *
 * Leaving write-ahead mode is the question itself: SQLite refuses it while there is any other connection, idle ones
 * included. A death in between leaves a sound file in the older mode, which the next flower changes back.
 */
export function reclaimSpace(database: Database): boolean {
  try {
    database.get("PRAGMA journal_mode = DELETE");
  } catch (thrown) {
    if (isBusy(thrown)) return false;
    throw thrown;
  }
  try {
    database.exec("VACUUM");
    return true;
  } catch (thrown) {
    if (isBusy(thrown)) return false;
    throw thrown;
  } finally {
    backToWriteAhead(database);
  }
}

function backToWriteAhead(database: Database): void {
  try {
    database.get("PRAGMA journal_mode = WAL");
  } catch {
    // Somebody opened the file meanwhile: whoever opens it next for writing changes it back.
  }
}
