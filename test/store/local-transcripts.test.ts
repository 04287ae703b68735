import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heal } from "../../src/store/heal.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";

let directory: string;
let store: SqliteSessionStore;
const session = { projectKey: "-p", sessionId: "s-1" };
const agent = { ...session, subpath: "subagents/agent-a1" };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "local-"));
  store = new SqliteSessionStore({ path: join(directory, "sessions.db") });
});

afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

function leave(name: string, lines: readonly unknown[], tail = ""): void {
  const path = join(directory, "claude", "projects", "-p", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join("") + tail);
}

const user = { type: "user", uuid: "u1", message: { content: "hi" } };
const prompt = { type: "last-prompt", lastPrompt: "hi" };
const answer = { type: "assistant", uuid: "u2", parentUuid: "u1" };
const load = () => store.importLocal(join(directory, "claude"), session);

test("what a killed host never mirrored is added, once, and what it did is not doubled", async () => {
  await store.append(session, [user, prompt]);
  leave("s-1.jsonl", [user, prompt, { type: "api-request", body: "x" }, answer, prompt], '{"type":"assis');
  leave("s-1/subagents/agent-a1.jsonl", [{ type: "user", uuid: "u3" }]);
  leave("s-1/subagents/agent-a1.meta.json", [{ agentType: "coder", finished: true }]);
  expect(await load()).toBe(4);
  expect(await store.load(session)).toEqual([user, prompt, answer, prompt]);
  expect(await store.load(agent)).toEqual([
    { type: "user", uuid: "u3" },
    { type: "agent_metadata", agentType: "coder", finished: true },
  ]);
  expect(await load()).toBe(0);
});

test("a row that says the same in another order is the same", async () => {
  leave("s-1/subagents/agent-a1.jsonl", [{ type: "user", uuid: "u3" }]);
  leave("s-1/subagents/agent-a1.meta.json", [{ finished: true, agentType: "coder" }]);
  await store.append(agent, [
    { type: "user", uuid: "u3" },
    { type: "agent_metadata", agentType: "coder", finished: true },
  ]);
  expect(await load()).toBe(0);
});

test("nothing there is nothing to add", async () => {
  expect(await load()).toBe(0);
});

test("a result that was made up for a call is not imported, and rows that were changed on their way to the CLI are not doubled", async () => {
  const call = {
    type: "assistant",
    uuid: "c1",
    message: { content: [{ type: "tool_use", id: "t1", name: "Bash" }] },
  };
  const stale = { type: "last-prompt", lastPrompt: "hi", leafUuid: "gone" };
  await store.append(session, [user, stale, call]);
  const { entries } = heal([user, { ...stale, leafUuid: "c1" }, call], { noResult: "none" });
  const next = { type: "user", uuid: "u9", parentUuid: "c1" };
  const last = { type: "last-prompt", lastPrompt: "hi", leafUuid: "u9" };
  leave("s-1.jsonl", [...entries, next, last]);
  expect(entries).toHaveLength(4);
  expect(await load()).toBe(2);
  expect((await store.load(session))?.slice(3)).toEqual([next, last]);
});

test("a subagent can be gone on with from its first row to its report, whatever the order of the fields that say so", async () => {
  const isUnfinished = () => store.isUnfinished("-p", "s-1", "a1");
  expect(isUnfinished()).toBe(false);
  await store.append(agent, [{ type: "agent_metadata", agentType: "coder" }]);
  expect(isUnfinished()).toBe(false);
  await store.append(agent, [{ type: "user", uuid: "u4", message: { content: "begin" } }]);
  expect(isUnfinished()).toBe(true);
  const done = JSON.parse('{"finished":true,"agentType":"coder","type":"agent_metadata"}') as typeof user;
  await store.append(agent, [
    done,
    { type: "user", uuid: "u5", message: { content: 'of "agent_metadata"' } },
  ]);
  expect(isUnfinished()).toBe(false);
  await store.append(agent, [{ type: "agent_metadata", agentType: "coder" }]);
  expect(isUnfinished()).toBe(true);
});
