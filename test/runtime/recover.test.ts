import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OWNER_MARKER, RUN_MARKER } from "../../src/agent/environment.ts";
import { processIdentity } from "../../src/agent/processes.ts";
import type { Owner } from "../../src/runtime/owner.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { reply } from "../../src/testing/index.ts";
import { makeRunWorld, manifestRows, type RunWorld } from "../support/run-world.ts";

let world: RunWorld;
let runtime: Runtime;
const children: ChildProcess[] = [];
const made: string[] = [];

beforeEach(async () => {
  world = makeRunWorld();
  await world.play(() => reply("done"));
  runtime = world.runtime();
  mkdirSync(join(runtime.runDir, "in-flight"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
  await world.end();
});

const CUT_OFF = "1:1";
const ENDED = "1:2";

/** Something that a worker has started, by the flower that it belongs to. */
function left(owner: string): ChildProcess {
  const child = spawn("sleep", ["600"], {
    env: { PATH: process.env.PATH, [RUN_MARKER]: runtime.runDir, [OWNER_MARKER]: owner },
    stdio: "ignore",
  });
  children.push(child);
  return child;
}

function record(name: string, owner: Owner, sessionId: string | null = null): void {
  const held = {
    run: `20260101-000000-${name}`,
    owner,
    step: name,
    sessionId,
    configDirectory: null,
    workers: [],
    booked: false,
    startedAt: 1_000,
    savedAt: 5_000,
    costUsd: 0,
    numTurns: 0,
    attempts: 1,
    context: 0,
    text: "",
    errors: [],
    resumed: false,
    retired: [],
  };
  writeFileSync(join(runtime.runDir, "in-flight", `${name}-1.json`), JSON.stringify(held));
}

const endOf = (child: ChildProcess): Promise<NodeJS.Signals | null> =>
  new Promise((done) => child.once("exit", (_code, signal) => done(signal)));
const lives = ({ pid }: ChildProcess): boolean => processIdentity(pid ?? 0) !== undefined;
const records = (): readonly string[] => readdirSync(join(runtime.runDir, "in-flight"));

test("what a flower had running in a step that was cut off is ended, a server of one that came to its end lives on", async () => {
  record("work", { process: CUT_OFF, host: hostname() });
  const [tool, server, neighbour] = [left(CUT_OFF), left(ENDED), left(processIdentity(process.pid) ?? "")];
  const ended = endOf(tool);
  await runtime.prepare();
  expect(await ended).toBe("SIGKILL");
  expect(lives(server)).toBe(true);
  expect(lives(neighbour)).toBe(true);
  await world.runtime().prepare();
  expect(lives(server)).toBe(true);
  expect(manifestRows(runtime).map(({ step, error }) => [step, error])).toEqual([
    ["work", "killed-by-signal"],
  ]);
});

test("with a record that nobody can read everything of a dead flower is ended, and the record is told and left", async () => {
  writeFileSync(join(runtime.runDir, "in-flight", "odd-1.json"), "{");
  const server = left(ENDED);
  const ended = endOf(server);
  await runtime.prepare();
  expect(await ended).toBe("SIGKILL");
  expect(runtime.notices.filter((notice) => notice.includes("odd-1.json"))).toHaveLength(1);
  expect(records()).toEqual(["odd-1.json"]);
});

test("a step of another host is told and left, and with force it is booked", async () => {
  record("work", { process: CUT_OFF, host: "another-machine" });
  await runtime.prepare();
  expect(runtime.notices.join("\n")).toMatch(/"work".*another-machine.*--force/);
  expect(records()).toEqual(["work-1.json"]);
  const forced = world.runtime();
  await forced.prepare({ force: true });
  expect(records()).toEqual([]);
  expect(manifestRows(forced).map(({ step, error }) => [step, error])).toEqual([
    ["work", "killed-by-signal"],
  ]);
  expect(forced.notices.join("\n")).not.toContain("another-machine");
});

const SESSION = "00000000-0000-4000-8000-000000000001";
const known = { type: "user", uuid: "u1", message: { content: "hi" } };
const unseen = { type: "assistant", uuid: "u2", parentUuid: "u1" };

/** What the SDK leaves of a session that it resumed when it is not there to clear it away. */
function resumeDirectory(session: string): string {
  const directory = mkdtempSync(join(tmpdir(), "claude-resume-"));
  const project = join(directory, "projects", runtime.projectKey);
  mkdirSync(project, { recursive: true });
  const lines = [known, unseen].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(project, `${session}.jsonl`), lines.join(""));
  made.push(directory);
  return directory;
}

test("a directory in which a session was resumed is cleared away, when what only it holds is in the store", async () => {
  const key = { projectKey: runtime.projectKey, sessionId: SESSION };
  await runtime.store.append(key, [known]);
  const [ours, foreign] = [resumeDirectory(SESSION), resumeDirectory("00000000-0000-4000-8000-000000000002")];
  await runtime.prepare();
  expect(existsSync(ours)).toBe(false);
  expect(existsSync(foreign)).toBe(true);
  expect((await runtime.store.load(key))?.map(({ uuid }) => uuid)).toEqual(["u1", "u2"]);
});

test("it is left while somebody who lives is at work in that session", async () => {
  await runtime.store.append({ projectKey: runtime.projectKey, sessionId: SESSION }, [known]);
  record("work", { process: processIdentity(process.pid) ?? "", host: hostname() }, SESSION);
  const busy = resumeDirectory(SESSION);
  await runtime.prepare();
  expect(existsSync(busy)).toBe(true);
});
