import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../src/store/database.ts";
import { openSessionArchive } from "../../src/store/session-archive.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { transcript } from "./build.ts";

let directory: string;
let path: string;
let now: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archive-"));
  path = join(directory, "sessions.db");
  now = 1_000;
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = (change = false) => openSessionArchive(path, { lang: "en", change });
const session = { projectKey: "-p", sessionId: "s-1" };
const agent = { ...session, subpath: "subagents/agent-a1" };

async function seed(): Promise<SqliteSessionStore> {
  const store = new SqliteSessionStore({ path, clock: { now: () => now, sleep: () => Promise.resolve() } });
  const talk = transcript();
  talk.prompt("hé");
  talk.says("one");
  talk.says("two");
  await store.append(session, talk.entries);
  now = 5_000;
  await store.append(agent, [{ type: "user", uuid: "a" }]);
  now = 3_000;
  await store.append({ ...session, sessionId: "s-2" }, [{ type: "mode" }]);
  return store;
}

test("where there is no file nothing is made, and an empty one stays empty", () => {
  expect(open()).toBeUndefined();
  expect(readdirSync(directory)).toEqual([]);
  writeFileSync(path, "");
  expect(open()).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe("");
});

test("sessions come the most recently active first, with the bytes and times of their subagents", async () => {
  (await seed()).close();
  const archive = open();
  const payloads = archive?.transcripts(session).flatMap((part) => part.payloads) ?? [];
  const bytes = Buffer.byteLength(payloads.join(""));
  // Times are strictly increasing, whatever the clock does.
  expect(archive?.sessions()).toEqual([
    { projectKey: "-p", sessionId: "s-2", lastActiveMs: 5_001, bytes: Buffer.byteLength('{"type":"mode"}') },
    { ...session, lastActiveMs: 5_000, bytes },
  ]);
  expect(archive?.turnsOf(session)).toBe(2);
  expect(archive?.contextOf(session)).toBe(0);
  expect(archive?.uuidsOf(session)).toEqual(["u0", "u1", "u2"]);
  expect(archive?.transcripts(session).map(({ subpath }) => subpath)).toEqual([undefined, agent.subpath]);
  archive?.close();
});

test("works beside a store that is open, and changes nothing unless it was opened for that", async () => {
  const store = await seed();
  const archive = open();
  expect(() => archive?.delete(session)).toThrow(/cannot read or write/);
  await store.append(session, [{ type: "user", uuid: "more" }]);
  expect(archive?.uuidsOf(session)).toContain("more");
  archive?.close();
  const changing = open(true);
  changing?.delete(session);
  expect(changing?.sessions().map(({ sessionId }) => sessionId)).toEqual(["s-2"]);
  expect(await store.load(agent)).toBeNull();
  // Somebody else has it open.
  expect(changing?.reclaim()).toBe(false);
  changing?.close();
  store.close();
});

test("space goes back to the disk when nobody else has the file open", () => {
  const database = connect(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA user_version = 1;");
  database.exec(`CREATE TABLE entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL);
    CREATE TABLE meta (store_key TEXT, mtime INTEGER, next_seq INTEGER);
    CREATE TABLE summaries (project_key TEXT, session_id TEXT, mtime INTEGER, data TEXT);
    INSERT INTO entries VALUES ('-p/s-1', 0, 'u', '{"x":"${"y".repeat(400_000)}"}');
    INSERT INTO meta VALUES ('-p/s-1', 1, 1);`);
  database.close();
  const before = readFileSync(path).length;
  const archive = open(true);
  archive?.delete(session);
  expect(archive?.reclaim()).toBe(true);
  archive?.close();
  expect(readFileSync(path).length).toBeLessThan(before / 4);
  const again = connect(path);
  expect(again.get("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
  again.close();
});

test("a damaged file is an error, and is left as it is", () => {
  writeFileSync(path, "this is not what it should be, and long enough to be looked at".repeat(40));
  const before = readFileSync(path, "utf8");
  expect(open).toThrow(expect.objectContaining({ code: "store/damaged" }));
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(directory)).toEqual(["sessions.db"]);
});

test("a database of somebody else, or of a newer flower, is an error", () => {
  const database = connect(path);
  database.exec("CREATE TABLE mine (x)");
  expect(open).toThrow(expect.objectContaining({ code: "store/foreign-database" }));
  database.exec("PRAGMA user_version = 99");
  expect(open).toThrow(expect.objectContaining({ code: "store/schema-too-new" }));
  database.close();
  expect(existsSync(path)).toBe(true);
});
