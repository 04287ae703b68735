import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import Libsql from "libsql";
import { SqliteSessionStore } from "../src/store/sqlite-session-store.ts";
import { type Bench, type Figure, figure, median } from "./figure.ts";

/** In bench/package.json. */
const PEER = "@langchain/langgraph-checkpoint-sqlite";
const ROUNDS = 7;
const ENTRIES_PER_ROUND = 1000;
const ENTRY_CHARS = 3500;
const KEY = { projectKey: "-work-project", sessionId: "11111111-0000-4000-8000-000000000001" };
/** As in src/store/schema.ts. */
const OUR_LOG_PAGES = 4000;
const STORE_KEY = `${KEY.projectKey}/${KEY.sessionId}`;

interface Entry {
  readonly type: string;
  readonly uuid: string;
  readonly [field: string]: unknown;
}

/** One way to keep entries, open on a file of its own. */
interface Keeper {
  readonly append: (batch: Entry[]) => Promise<unknown> | undefined;
  readonly close: () => void;
}

/**
 * Entries of 3.5 KB a second, one to a batch (`eager`) and 20 to a batch, in turn with three others on the same disk:
 * a bare loop of inserts into the same table with the same durability, the CLI's way of writing its own JSONL, and
 * LangGraph's SQLite checkpointer. What we do beside the insert: the summary, the books, one transaction over all.
 *
 * LangGraph is no dependency of flower: `npm ci` in `bench/` installs it. Its driver, better-sqlite3, is built from
 * source where GitHub cannot be reached; then say where Node's headers are:
 * `npm_config_nodedir="$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")" npm ci` (two minutes).
 */
const bench = {
  name: "store-append",
  run: async () => {
    const saver = await peerSaver();
    if (saver === undefined) {
      process.stderr.write(
        "store-append: without LangGraph, which is not installed; `npm ci` in bench/ does\n",
      );
    }
    // Watched too: the loop with a log as long as ours, which shows what the summary and the books cost by themselves.
    const longLog = (path: string): Keeper => bare(path, OUR_LOG_PAGES);
    const keepers = {
      flower,
      bare: (path: string) => bare(path),
      "bare-long-log": longLog,
      jsonl,
      ...(saver === undefined ? {} : { langgraph: saver }),
    };
    return [...(await measured("eager", 1, keepers)), ...(await measured("20", 20, keepers))];
  },
} satisfies Bench;

export default bench;

async function measured(
  name: string,
  batchSize: number,
  keepers: Readonly<Record<string, (path: string) => Keeper>>,
): Promise<readonly Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), "flower-bench-"));
  const open = Object.entries(keepers).map(
    ([keeper, make]) => [keeper, make(join(directory, keeper))] as const,
  );
  try {
    const rates = new Map(open.map(([keeper]) => [keeper, [] as number[]]));
    // The first round warms up. Each round turns the order, so that nobody always comes after the same one.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let turn = 0; turn < open.length; turn += 1) {
        const [keeper, { append }] = at(open, (turn + round) % open.length);
        const perSecond = await rate(append, batchSize);
        if (round > 0) rates.get(keeper)?.push(perSecond);
      }
    }
    const of = (keeper: string): readonly number[] => rates.get(keeper) ?? [];
    const against = (keeper: string): number =>
      median(of("flower").map((mine, n) => mine / (of(keeper)[n] ?? 0)));
    const others = open.map(([keeper]) => keeper).filter((keeper) => keeper !== "flower");
    return [
      ...others.map((keeper) =>
        figure({
          bench: `store-append-${name}-to-${keeper}`,
          value: against(keeper),
          unit: "ratio",
          target: keeper === "bare" ? ">=0.8" : "",
        }),
      ),
      figure({ bench: `store-append-${name}`, value: median(of("flower")), unit: "entries/s", target: "" }),
    ];
  } finally {
    for (const [, keeper] of open) keeper.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index}`);
  return item;
}

async function rate(append: Keeper["append"], batchSize: number): Promise<number> {
  const batches = Array.from({ length: ENTRIES_PER_ROUND / batchSize }, () =>
    Array.from({ length: batchSize }, entry),
  );
  const startedAt = performance.now();
  for (const batch of batches) await append(batch);
  return (ENTRIES_PER_ROUND / (performance.now() - startedAt)) * 1000;
}

function entry(): Entry {
  return {
    type: "user",
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    message: { role: "user", content: [{ type: "tool_result", content: "x".repeat(ENTRY_CHARS) }] },
  };
}

function flower(path: string): Keeper {
  const store = new SqliteSessionStore({ path });
  return { append: (batch) => store.append(KEY, batch), close: () => store.close() };
}

/** The least that keeps the same rows as safely: our table with its two indexes, a write-ahead log, NORMAL. */
function bare(path: string, logPages?: number): Keeper {
  new SqliteSessionStore({ path }).close();
  const connection = new Libsql(path);
  connection.exec("PRAGMA journal_mode = WAL");
  connection.exec("PRAGMA synchronous = NORMAL");
  if (logPages !== undefined) connection.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
  const insert = connection.prepare("INSERT INTO entries VALUES (?, ?, ?, ?)");
  let seq = 0;
  return {
    append: async (batch) => {
      if (batch.length > 1) connection.exec("BEGIN IMMEDIATE");
      for (const each of batch) insert.run([STORE_KEY, seq++, each.uuid, JSON.stringify(each)]);
      if (batch.length > 1) connection.exec("COMMIT");
    },
    close: () => connection.close(),
  };
}

/** As the CLI keeps its own transcript: a line an entry, nothing else, and no wait for the disk. */
function jsonl(path: string): Keeper {
  return {
    append: (batch) => appendFile(path, batch.map((each) => `${JSON.stringify(each)}\n`).join("")),
    close: () => undefined,
  };
}

/** What we use of LangGraph; the package is not there when the project is compiled. */
interface Saver {
  putWrites(config: object, writes: readonly [string, unknown][], taskId: string): Promise<void>;
  readonly db: { close(): void };
}

async function peerSaver(): Promise<((path: string) => Keeper) | undefined> {
  const require = createRequire(import.meta.url);
  if (!existsSync(join(import.meta.dirname, "node_modules"))) return undefined;
  const {
    SqliteSaver,
  }: {
    SqliteSaver: { fromConnString(path: string): Saver };
  } = require(PEER);
  return (path) => {
    const saver = SqliteSaver.fromConnString(path);
    const configurable = { thread_id: KEY.sessionId, checkpoint_ns: "", checkpoint_id: "1" };
    return {
      // The writes of one task, which is what a step of a graph has done; a task's numbers begin anew.
      append: (batch) =>
        saver.putWrites(
          { configurable },
          batch.map((each) => ["entries", each]),
          randomUUID(),
        ),
      close: () => saver.db.close(),
    };
  };
}
