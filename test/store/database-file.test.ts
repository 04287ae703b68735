import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { FlowerError } from "../../src/base/errors.ts";
import { stamp } from "../../src/base/ids.ts";
import { connect } from "../../src/store/database.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
let now: number;
const clock: Clock = { now: () => now, sleep: async () => undefined };
const key = { projectKey: "-work-project", sessionId: "11111111-0000-4000-8000-000000000001" };

/** What the Python original creates (SPEC 11), to the letter. */
const ORIGINAL_SCHEMA = `
CREATE TABLE entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL,
                      PRIMARY KEY (store_key, seq));
CREATE UNIQUE INDEX entries_uid ON entries(store_key, uid) WHERE uid IS NOT NULL;
CREATE TABLE meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);
CREATE TABLE summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL, mtime INTEGER NOT NULL,
                        data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));`;

let directory: string;
let path: string;
const opened: SqliteSessionStore[] = [];
beforeEach(() => {
  now = NOON;
  directory = mkdtempSync(join(tmpdir(), "flower-store-"));
  path = join(directory, "runs", "sessions.db");
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(lang: "en" | "zh" = "en"): SqliteSessionStore {
  const store = new SqliteSessionStore({ path, clock, lang });
  opened.push(store);
  return store;
}

function thrownBy(work: () => unknown): FlowerError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof FlowerError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

/** Puts bytes where the store looks, in a file that no connection of this process has ever had open. */
function put(bytes: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/** Writes a database with plain SQL, as another program would. */
function write(...statements: readonly string[]): void {
  const elsewhere = join(directory, "made-elsewhere.db");
  const database = connect(elsewhere);
  for (const statement of statements) database.exec(statement);
  database.close();
  put(readFileSync(elsewhere));
}

const tablesOf = (file: string): readonly unknown[] => {
  const database = connect(file);
  const rows = database.all(
    "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  database.close();
  return rows;
};

describe("a new file", () => {
  test("has the original's schema, version 1, a write-ahead log, and is the owner's alone", () => {
    open();
    const database = connect(path);
    expect(database.get("PRAGMA user_version")).toMatchObject({ user_version: 1 });
    expect(database.get("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
    database.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    const original = connect(join(directory, "original.db"));
    original.exec(ORIGINAL_SCHEMA);
    original.close();
    const plain = (file: string) => JSON.stringify(tablesOf(file)).replaceAll(/IF NOT EXISTS |\s|\\n/g, "");
    expect(plain(path)).toBe(plain(join(directory, "original.db")));
  });

  test("rows are written as the original does: key, running number, uid, and its own books", async () => {
    const store = open();
    await store.append(key, [{ type: "user", uuid: "a" }, { type: "mode" }, { type: "user", uuid: "a" }]);
    await store.append({ ...key, subpath: "subagents/agent-1" }, [{ type: "user", uuid: "a" }]);
    store.close();
    const database = connect(path);
    expect(database.all("SELECT * FROM entries ORDER BY store_key, seq")).toEqual([
      {
        store_key: `-work-project/${key.sessionId}`,
        seq: 0,
        uid: "a",
        payload: '{"type":"user","uuid":"a"}',
      },
      { store_key: `-work-project/${key.sessionId}`, seq: 1, uid: null, payload: '{"type":"mode"}' },
      {
        store_key: `-work-project/${key.sessionId}/subagents/agent-1`,
        seq: 0,
        uid: "a",
        payload: '{"type":"user","uuid":"a"}',
      },
    ]);
    expect(database.all("SELECT * FROM meta ORDER BY store_key")).toEqual([
      { store_key: `-work-project/${key.sessionId}`, mtime: NOON, next_seq: 2 },
      { store_key: `-work-project/${key.sessionId}/subagents/agent-1`, mtime: NOON + 1, next_seq: 1 },
    ]);
    database.close();
  });
});

describe("a file of the Python original", () => {
  const row = (seq: number, uid: string) =>
    `INSERT INTO entries VALUES ('p/s', ${seq}, '${uid}', '{"type": "user", "uuid": "${uid}", "n": "值"}')`;

  test("is taken over: its sessions load, grow and are listed, its tables stay", async () => {
    write(ORIGINAL_SCHEMA, row(0, "a"), row(1, "b"), "INSERT INTO meta VALUES ('p/s', 1000, 2)");
    const before = tablesOf(path);
    const store = open();
    expect(await store.load({ projectKey: "p", sessionId: "s" })).toEqual([
      { type: "user", uuid: "a", n: "值" },
      { type: "user", uuid: "b", n: "值" },
    ]);
    await store.append({ projectKey: "p", sessionId: "s" }, [
      { type: "user", uuid: "b" },
      { type: "user", uuid: "c" },
    ]);
    expect(await store.load({ projectKey: "p", sessionId: "s" })).toHaveLength(3);
    expect(await store.listSessions("p")).toEqual([{ sessionId: "s", mtime: NOON }]);
    store.close();
    expect(tablesOf(path)).toEqual(before);
    expect(store.notices).toEqual([]);
  });
});

describe("a file that must not be touched", () => {
  test("of a newer flower: a clear error, and not a byte is changed", () => {
    write(ORIGINAL_SCHEMA, "PRAGMA user_version = 2");
    const before = readFileSync(path);
    const error = thrownBy(open);
    expect(error.code).toBe("store/schema-too-new");
    expect(error.message).toContain("schema 2");
    expect(error.hint).toContain("--run-dir");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each([
    ["with other tables", "CREATE TABLE bookmarks (url TEXT)"],
    [
      "with a table of our name and other columns",
      "CREATE TABLE entries (id INTEGER PRIMARY KEY, amount REAL)",
    ],
  ])("of another program, %s: a clear error, and not a byte is changed", (_, sql) => {
    write(sql);
    const before = readFileSync(path);
    expect(thrownBy(open).code).toBe("store/foreign-database");
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("a file that cannot be used", () => {
  const aside = () => `${path}.corrupt-${stamp(NOON)}`;

  test("because it is no database: kept beside, with a notice, and a new one works", async () => {
    put("this is not a database ".repeat(400));
    const store = open();
    expect(store.notices).toHaveLength(1);
    expect(store.notices[0]).toContain(aside());
    expect(readFileSync(aside(), "utf8")).toBe("this is not a database ".repeat(400));
    await store.append(key, [{ type: "user", uuid: "a" }]);
    expect(await store.load(key)).toHaveLength(1);
    store.close();
    expect(open("zh").notices).toEqual([]);
  });

  test("because pages of it are damaged: kept to the byte, in Chinese said in Chinese", async () => {
    const store = new SqliteSessionStore({ path: join(directory, "made-elsewhere.db"), clock });
    const entries = Array.from({ length: 400 }, (_, n) => ({
      type: "user",
      uuid: `u${n}`,
      text: "y".repeat(300),
    }));
    await store.append(key, entries);
    store.close();
    const bytes = readFileSync(store.path);
    bytes.fill(0x41, 4096 * 2, 4096 * 6);
    put(bytes);
    writeFileSync(`${path}-wal`, "the log of that file");
    const fresh = open("zh");
    expect(fresh.notices[0]).toMatch(/无法作为会话数据库使用[\s\S]*原文件已保留为/);
    expect(readFileSync(aside()).equals(bytes)).toBe(true);
    expect(existsSync(`${aside()}-wal`)).toBe(true);
    expect(await fresh.load(key)).toBeNull();
  });

  test("a second damaged file of the same second does not overwrite the first", () => {
    for (const text of ["first ", "second "]) {
      rmSync(path, { force: true });
      put(text.repeat(400));
      open().close();
    }
    const kept = readdirSync(join(directory, "runs")).filter((name) => /corrupt-\d+-\d+(-2)?$/.test(name));
    expect(kept).toHaveLength(2);
  });

  test("an empty file is a new one, and no reason for a notice", () => {
    put("");
    expect(open().notices).toEqual([]);
    expect(existsSync(aside())).toBe(false);
  });

  test("a directory that is a file, or a file that is a directory, is a clear error", () => {
    writeFileSync(join(directory, "runs"), "");
    expect(thrownBy(open).code).toBe("files/not-a-directory");
    path = directory;
    const error = thrownBy(open);
    expect(error.code).toBe("store/cannot-open");
    expect(error.message).toContain(directory);
    expect(error.hint).toBeDefined();
  });
});

describe("times and several processes", () => {
  test("a clock that is set back does not set times back, not even after opening again", async () => {
    const store = open();
    await store.append(key, [{ type: "user", uuid: "a" }]);
    store.close();
    now = NOON - 3_600_000;
    await open().append({ ...key, sessionId: "other" }, [{ type: "user", uuid: "a" }]);
    expect((await open().listSessions("-work-project")).find((s) => s.sessionId === "other")?.mtime).toBe(
      NOON + 1,
    );
  });

  test("two connections append in turn and each sees the other's rows once", async () => {
    const [one, two] = [open(), open()];
    for (let n = 0; n < 20; n += 1) {
      await one.append(key, [{ type: "user", uuid: `one${n}` }]);
      await two.append(key, [
        { type: "user", uuid: `one${n}` },
        { type: "user", uuid: `two${n}` },
      ]);
    }
    const uuids = (await one.load(key))?.map((entry) => entry.uuid) ?? [];
    expect(uuids).toHaveLength(40);
    expect(new Set(uuids).size).toBe(40);
    expect(await two.load(key)).toEqual(await one.load(key));
  });
});

describe("the synchronous extras", () => {
  const message = (usage: object, extra: object = {}) => ({
    type: "assistant",
    message: { role: "assistant", usage },
    ...extra,
  });
  const full = {
    input_tokens: 3,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 200,
    output_tokens: 9,
  };

  test("projects are each named once", async () => {
    const store = open();
    for (const projectKey of ["-b", "-a", "-a-1"])
      await store.append({ ...key, projectKey }, [{ type: "user" }]);
    await store.append({ ...key, projectKey: "-a", subpath: "subagents/x" }, [{ type: "user" }]);
    expect(store.projects()).toEqual(["-a", "-a-1", "-b"]);
  });

  test("a session is there when its main transcript is", async () => {
    const store = open();
    await store.append({ ...key, subpath: "subagents/x" }, [{ type: "user" }]);
    expect(store.hasSession(key.projectKey, key.sessionId)).toBe(false);
    await store.append(key, [{ type: "user" }]);
    expect(store.hasSession(key.projectKey, key.sessionId)).toBe(true);
    expect(store.hasSession("-elsewhere", key.sessionId)).toBe(false);
  });

  test("the context is that of the last real message of the main thread", async () => {
    const store = open();
    await store.append(key, [
      message(full),
      message({ input_tokens: 7 }, { isSidechain: true }),
      message({ input_tokens: 0, output_tokens: 0 }),
      message({ input_tokens: 5 }, { isApiErrorMessage: true }),
      message({ input_tokens: "many" }),
      { type: "assistant" },
      { type: "user" },
    ]);
    expect(store.lastContext(key.projectKey, key.sessionId)).toBe(1203);
    expect(store.lastContext(key.projectKey, key.sessionId, { scan: 6 })).toBe(0);
    expect(store.lastContext(key.projectKey, "nobody")).toBe(0);
  });
});

describe("what goes wrong is said", () => {
  test("a row that is no entry is left out with a notice, and the others come", async () => {
    const store = open();
    await store.append(key, [{ type: "user", uuid: "a" }]);
    const database = connect(path);
    database.exec(`INSERT INTO entries VALUES ('-work-project/${key.sessionId}', 7, NULL, '{"type": "us')`);
    database.exec(`INSERT INTO entries VALUES ('-work-project/${key.sessionId}', 8, NULL, '[1]')`);
    database.close();
    expect(await store.load(key)).toEqual([{ type: "user", uuid: "a" }]);
    expect(store.notices).toEqual([expect.stringContaining("2 rows")]);
  });

  test("a closed store rejects, and closing twice is nothing", async () => {
    const store = open();
    store.close();
    store.close();
    await expect(store.append(key, [{ type: "user" }])).rejects.toMatchObject({ code: "store/closed" });
    expect(() => store.projects()).toThrow(FlowerError);
  });

  test.each([
    [{ projectKey: "a/b", sessionId: "s" }],
    [{ projectKey: "", sessionId: "s" }],
    [{ projectKey: "p", sessionId: "s/../t" }],
    [{ projectKey: "p", sessionId: "s", subpath: "" }],
  ])("the key %j is refused, for it could be somebody else's", async (bad) => {
    await expect(open().append(bad, [{ type: "user" }])).rejects.toMatchObject({ code: "store/invalid-key" });
  });

  test("a batch that fails half-way leaves nothing of it", async () => {
    const store = open();
    await store.append(key, [{ type: "user", uuid: "a" }]);
    const database = connect(path);
    database.exec(
      "CREATE TRIGGER fail BEFORE INSERT ON entries WHEN NEW.uid = 'c' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const batch = ["b", "c", "d"].map((uuid) => ({ type: "user", uuid }));
    await expect(store.append(key, batch)).rejects.toMatchObject({ code: "store/database-failed" });
    expect(await store.load(key)).toHaveLength(1);
    database.exec("DROP TRIGGER fail");
    database.close();
    await store.append(key, batch);
    expect(await store.load(key)).toHaveLength(4);
  });
});
