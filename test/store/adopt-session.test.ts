import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";

let directory: string;
let store: SqliteSessionStore;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "adopt-"));
  store = new SqliteSessionStore({ path: join(directory, "sessions.db") });
});

afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

const old = { projectKey: "-old", sessionId: "s-1" };
const agent = { subpath: "subagents/agent-a1" };
const user = { type: "user", uuid: "u1" };

test("a session of another project is filed anew with its subagents, its rows as they were", async () => {
  await store.append(old, [user, { type: "mode" }]);
  await store.append({ ...old, ...agent }, [user]);
  await store.append({ ...old, sessionId: "s-2" }, [user]);
  expect(store.adopt("-new", "s-1")).toBe(true);
  const moved = { ...old, projectKey: "-new" };
  expect(await store.load(moved)).toEqual([user, { type: "mode" }]);
  expect(await store.listSubkeys(moved)).toEqual(["subagents/agent-a1"]);
  expect(await store.load(old)).toBeNull();
  expect((await store.listSessionSummaries("-new")).map(({ sessionId }) => sessionId)).toEqual(["s-1"]);
  expect((await store.listSessions("-old")).map(({ sessionId }) => sessionId)).toEqual(["s-2"]);
  await store.append(moved, [{ type: "user", uuid: "u2" }]);
  expect(await store.load(moved)).toHaveLength(3);
});

test("one that is there already stays, and one that is nowhere is not", async () => {
  await store.append(old, [user]);
  await store.append({ ...old, projectKey: "-new" }, [{ type: "user", uuid: "u9" }]);
  expect([store.adopt("-new", "s-1"), store.adopt("-new", "s-9"), store.adopt("-new", "")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await store.load(old)).toEqual([user]);
});

test("who may take a session along is asked where it began, whatever comes first in it", async () => {
  await store.append(old, [
    { type: "mode" },
    { type: "user", uuid: "u1", cwd: "/first" },
    { type: "user", uuid: "u2", cwd: "/later" },
  ]);
  const asked: (string | undefined)[] = [];
  const refuse = (cwd: string | undefined): boolean => {
    asked.push(cwd);
    return false;
  };
  expect(store.adopt("-new", "s-1", refuse)).toBe(false);
  expect(store.hasSession("-old", "s-1")).toBe(true);
  await store.append({ ...old, sessionId: "s-2" }, [user]);
  expect(store.adopt("-new", "s-2", refuse)).toBe(false);
  // Nobody is asked about what is there already, or nowhere.
  expect([store.adopt("-old", "s-1", refuse), store.adopt("-new", "s-9", refuse)]).toEqual([true, false]);
  expect(asked).toEqual(["/first", undefined]);
});
