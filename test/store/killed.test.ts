import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/store/database.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { seeded } from "../support/chaos/plan.ts";
import type { Saying } from "./appending-child.ts";
import { bundledChild } from "./bundled-child.ts";

/** Two processes write into the one database at any time, and each is killed this often. */
const WRITERS = ["one", "two"];
const LIVES_EACH = 25;
/** How long a writer lives after its first batch: from within that batch's echo to a dozen batches. */
const LIFE_MAX_MS = 60;

let child: { directory: string; path: string };
let directory: string;
beforeAll(async () => {
  child = await bundledChild("appending-child.ts");
  directory = mkdtempSync(join(tmpdir(), "flower-store-"));
});
afterAll(() => {
  for (const made of [child.directory, directory]) rmSync(made, { recursive: true, force: true });
});

/** What a writer said of its batches, over all its lives. */
interface Said {
  /** Batch to its number of entries. */
  readonly started: Map<number, number>;
  readonly done: Set<number>;
  /** Lives that ended between a batch's start and its acknowledgement. */
  killedWithin: number;
}

const nothingSaid = (): Said => ({ started: new Map(), done: new Set(), killedWithin: 0 });

async function live(said: Said, args: readonly string[], lifeMs: number): Promise<void> {
  const writer = spawn(process.execPath, [child.path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<NodeJS.Signals | null>((done) => {
    writer.once("close", (_, signal) => done(signal));
  });
  let isTimed = false;
  let within = false;
  for await (const line of createInterface({ input: writer.stdout })) {
    const [what, batch, size] = line.split(" ");
    within = what === ("start" satisfies Saying);
    if (within) said.started.set(Number(batch), Number(size));
    else said.done.add(Number(batch));
    if (!isTimed) setTimeout(() => writer.kill("SIGKILL"), lifeMs);
    isTimed = true;
  }
  if (within) said.killedWithin += 1;
  expect(await ended).toBe("SIGKILL");
}

test("50 kills in the middle of appending cost no batch that was acknowledged, and leave no half one", async () => {
  const path = join(directory, "sessions.db");
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  const said = new Map(WRITERS.map((name) => [name, nothingSaid()]));
  const check = (): void => {
    const database = connect(path);
    expect(database.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    database.close();
  };
  const lives = async (name: string, mine: Said): Promise<void> => {
    for (let life = 0; life < LIVES_EACH; life += 1) {
      const first = Math.max(-1, ...mine.started.keys()) + 1;
      await live(mine, [path, name, String(first)], random() * LIFE_MAX_MS);
      check();
    }
  };
  try {
    await Promise.all([...said].map(([name, mine]) => lives(name, mine)));
    await expectWholeBatches(path, said);
  } catch (thrown) {
    throw new Error(`with the seed ${seed}`, { cause: thrown });
  }
}, 240_000);

async function expectWholeBatches(path: string, said: ReadonlyMap<string, Said>): Promise<void> {
  const store = new SqliteSessionStore({ path });
  try {
    expect(store.notices).toEqual([]);
    for (const [sessionId, { started, done, killedWithin }] of said) {
      expect(killedWithin).toBeGreaterThan(LIVES_EACH / 5);
      const found = new Map<unknown, number>();
      const entries = (await store.load({ projectKey: "-work-project", sessionId })) ?? [];
      for (const { batch } of entries) found.set(batch, (found.get(batch) ?? 0) + 1);
      expect([...done].filter((batch) => !found.has(batch))).toEqual([]);
      expect([...found].filter(([batch, count]) => count !== started.get(Number(batch)))).toEqual([]);
      // In the order in which they were given, each once.
      const batches = entries.map(({ batch }) => Number(batch));
      expect(batches).toEqual(batches.toSorted((a, b) => a - b));
      expect(new Set(entries.map(({ uuid }) => uuid)).size).toBe(entries.length);
    }
    // A session's time and its summary's were written with its rows.
    const times = (await store.listSessions("-work-project")).map(({ sessionId, mtime }) => [
      sessionId,
      mtime,
    ]);
    const summaries = await store.listSessionSummaries("-work-project");
    expect(new Map(summaries.map(({ sessionId, mtime }) => [sessionId, mtime]))).toEqual(
      new Map(times.map(([sessionId, mtime]) => [sessionId, mtime])),
    );
  } finally {
    store.close();
  }
}
