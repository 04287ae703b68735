/**
 * A process that uses a store once and says what came of it, as one line of JSON:
 * `node phase-child <database> <what>`, `what` one of `write`, `fill` (until it fails) or `read`.
 * With `as-nobody` it first gives up being root, to whom permissions do not apply.
 */
import { FlowerError } from "../../src/base/errors.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";

/** What one phase came to. */
export interface Phase {
  /** Batches that were acknowledged in this phase. */
  readonly stored: number;
  /** Entries in the store at its end; null when it cannot be read. */
  readonly entries: number | null;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string | undefined };
}

const NOBODY = 65_534;
const key = { projectKey: "-work-project", sessionId: "s" };
const [path = "", what = "", identity = ""] = process.argv.slice(2);
if (identity === "as-nobody" && process.getuid?.() === 0) process.setuid?.(NOBODY);

let stored = 0;
let entries: number | null = null;
let error: Phase["error"];
let store: SqliteSessionStore | undefined;
try {
  store = new SqliteSessionStore({ path });
  const batches = { write: 1, fill: 100_000, read: 0 }[what] ?? 0;
  while (stored < batches) {
    const batch = Array.from({ length: 10 }, () => ({ type: "user", text: "x".repeat(20_000) }));
    await store.append(key, what === "fill" ? batch : batch.slice(0, 1));
    stored += 1;
  }
} catch (thrown) {
  if (!(thrown instanceof FlowerError)) throw thrown;
  error = { code: thrown.code, message: thrown.message, hint: thrown.hint };
}
try {
  entries = (await store?.load(key))?.length ?? null;
  store?.close();
} catch (thrown) {
  if (!(thrown instanceof FlowerError)) throw thrown;
}
const phase: Phase = { stored, entries, ...(error === undefined ? {} : { error }) };
console.log(JSON.stringify(phase));
