import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { bundledChild } from "./bundled-child.ts";
import type { Loaded } from "./loading-child.ts";
import { longSession } from "./long-session.ts";

/** About 40 MB of JSON, and as much when it is read. `bench/store-load` does the same with ten times as many. */
const ENTRIES = 10_000;

let workspace: string;
let child: { directory: string; path: string };
beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), "flower-store-"));
  child = await bundledChild("loading-child.ts");
  const store = new SqliteSessionStore({ path: join(workspace, "sessions.db") });
  await store.append({ projectKey: "-work-project", sessionId: "s" }, [...longSession(ENTRIES)]);
  store.close();
});
afterAll(() => {
  for (const made of [workspace, child.directory]) rmSync(made, { recursive: true, force: true });
});

/** Loads in a process whose young generation is small, so that it holds what is needed and not what was. */
function load(how: string): Loaded {
  const args = ["--expose-gc", "--max-semi-space-size=1", child.path, workspace, how];
  const loaded: Loaded = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  return loaded;
}

test("a large session is loaded, with and without the policies, in less than twice what it is", () => {
  const plain = load("plain");
  expect(plain.entries).toBe(ENTRIES);
  expect(plain.resultBytes).toBeGreaterThan(35_000_000);
  expect(plain.peakBytes / plain.resultBytes).toBeLessThan(2);
  const rewritten = load("policies");
  expect(rewritten.entries).toBeGreaterThan(ENTRIES * 0.98);
  expect(rewritten.resultBytes).toBeLessThan(plain.resultBytes / 2);
  expect(rewritten.peakBytes / plain.resultBytes).toBeLessThan(2);
  // The measure can tell: reading all rows first and parsing them then takes more than twice.
  const bare = load("bare");
  expect(bare.peakBytes / plain.resultBytes).toBeGreaterThan(2);
}, 120_000);
