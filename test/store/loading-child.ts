/**
 * A process that loads one session and says what it took: `node --expose-gc loading-child <workspace> <how>`, `how` one
 * of `bare` (SELECT and JSON.parse), `plain` (the store without its policies) or `policies` (all of them).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { PruningSessionStore } from "../../src/store/pruning-session-store.ts";

/** What one load took. */
export interface Loaded {
  readonly ms: number;
  readonly entries: number;
  /** What the result takes, when all else has been collected; bytes. */
  readonly resultBytes: number;
  /** By how much the process grew at its largest; bytes. */
  readonly peakBytes: number;
}

/** Where the database of a workspace lies. */
const databaseOf = (workspace: string): string => join(workspace, "sessions.db");
const LONG_KEY = { projectKey: "-work-project", sessionId: "s" };

const KILOBYTE = 1024;
/** The largest resident size since the program began; `maxRSS` would count that of the process it was forked from. */
const peak = (): number => {
  const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * KILOBYTE;
};
const collect = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function load(workspace: string, how: string): Promise<readonly unknown[]> {
  const path = databaseOf(workspace);
  if (how === "bare") {
    const connection = new Libsql(path);
    const rows = connection
      .prepare("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq")
      .all([`${LONG_KEY.projectKey}/${LONG_KEY.sessionId}`]);
    return (rows as { payload: string }[]).map(({ payload }): unknown => JSON.parse(payload));
  }
  const off = how === "policies" ? {} : { trim: false, ephemeral: false, prune: false };
  const store = new PruningSessionStore({ path, workspace, ...off });
  const entries = await store.load(LONG_KEY);
  store.close();
  return entries ?? [];
}

const [workspace, how] = process.argv.slice(2);
if (workspace !== undefined && how !== undefined) {
  const before = { used: collect(), rss: peak() };
  const startedAt = performance.now();
  const entries = await load(workspace, how);
  const ms = performance.now() - startedAt;
  const peakBytes = peak() - before.rss;
  const loaded: Loaded = { ms, entries: entries.length, resultBytes: collect() - before.used, peakBytes };
  console.log(JSON.stringify(loaded));
}
