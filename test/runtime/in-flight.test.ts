import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEvent, type Event } from "../../src/events/event.ts";
import { InFlight } from "../../src/runtime/in-flight.ts";
import { type Owner, thisOwner } from "../../src/runtime/owner.ts";
import { newDraft } from "../../src/runtime/step-result.ts";
import { workerNotes } from "../../src/runtime/worker-notes.ts";

let directory: string;
const errors: unknown[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "in-flight-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
  expect(errors.splice(0)).toEqual([]);
});

const dead: Owner = { process: "1:1", host: hostname() };
const elsewhere: Owner = { process: "1:1", host: "another-machine" };
const clock = { now: () => 2_000, sleep: () => Promise.resolve() };
const flights = (run: string, owner: Owner = thisOwner()): InFlight =>
  new InFlight({ directory, run, owner, clock, onError: (thrown) => errors.push(thrown) });
const draft = (sessionId: string | null = null) => ({ ...newDraft("work", 1_000), sessionId });
const open = { canGoOn: () => true };
const worker = { id: "a1", role: "coder" };
const records = (): readonly string[] => readdirSync(directory).filter((name) => name.endsWith(".json"));

describe("the record of a step", () => {
  test("is there while it runs, and gone with its end", () => {
    const flight = flights("a").begin(draft("s1"), open);
    expect(records()).toEqual(["a-1.json"]);
    flight?.end(true);
    expect(records()).toEqual([]);
  });

  test("is refused while another flower is at work in the session, and only then", () => {
    const flight = flights("a").begin(draft("s1"), open);
    const other = flights("b");
    expect(other.begin(draft(), { ...open, resume: "s1" })).toBeUndefined();
    expect(other.begin(draft(), { ...open, resume: "s2" })).toBeDefined();
    flight?.end(true);
    expect(other.begin(draft(), { ...open, resume: "s1" })).toBeDefined();
  });

  test("of a dead flower holds nobody up, and one of another host does not either", () => {
    flights("a", dead).begin(draft("s1"), open);
    flights("b", elsewhere).begin(draft("s2"), open);
    const mine = flights("c");
    expect(mine.begin(draft(), { ...open, resume: "s1" })).toBeDefined();
    expect(mine.begin(draft(), { ...open, resume: "s2" })).toBeDefined();
  });

  test("is left over when its flower is gone; one of another host only on demand", () => {
    flights("a", dead).begin(draft("s1"), open);
    flights("b", elsewhere).begin(draft("s2"), open);
    flights("c").begin(draft("s3"), open);
    const mine = flights("d");
    const sessions = (force: boolean) => mine.leftovers({ force }).map(({ record }) => record.sessionId);
    expect(sessions(false)).toEqual(["s1"]);
    expect(sessions(true)).toEqual(["s1", "s2"]);
    expect(mine.elsewhere().map(({ record }) => record.owner.host)).toEqual(["another-machine"]);
  });

  test("that nobody can read is named and left", () => {
    const path = join(directory, "odd-1.json");
    writeFileSync(path, "{");
    expect(flights("a").leftovers()).toEqual([]);
    expect(flights("a").unreadable()).toEqual([path]);
    expect(readFileSync(path, "utf8")).toBe("{");
  });
});

describe("a worker that was cut off", () => {
  const cutOff = (): void => {
    const flight = flights("a").begin(draft("s1"), open);
    flight?.workerBegan(worker);
    flight?.end(false);
  };

  test("is known to whoever goes on in its session, and to nobody else", () => {
    cutOff();
    expect(flights("b").begin(draft(), { ...open, resume: "s2" })?.workers).toEqual([]);
    expect(flights("b").begin(draft(), { ...open, resume: "s1" })?.workers).toEqual([worker]);
  });

  test("and reported meanwhile is done", () => {
    cutOff();
    expect(flights("b").begin(draft(), { resume: "s1", canGoOn: () => false })?.workers).toEqual([]);
  });

  test("is kept in mind when the session was told and failed, and let go when it did its work", () => {
    cutOff();
    const failed = flights("b").begin(draft("s1"), { ...open, resume: "s1" });
    failed?.workersTold();
    failed?.end(false);
    const done = flights("c").begin(draft("s1"), { ...open, resume: "s1" });
    expect(done?.workers).toEqual([worker]);
    done?.workersTold();
    done?.end(true);
    expect(records()).toEqual([]);
  });

  test("is kept in mind when the step ended well without a word to the session", () => {
    const flight = flights("a").begin(draft("s1"), open);
    flight?.workerBegan(worker);
    flight?.end(true);
    expect(flights("b").begin(draft(), { ...open, resume: "s1" })?.workers).toEqual([worker]);
  });
});

describe("account of a worker", () => {
  const task = (payload: Record<string, unknown>) => createEvent("task", payload);
  const began = task({ subtype: "task_started", task_id: "a1", subagent: "coder" });
  const workersAfter = (...events: Event[]): readonly unknown[] => {
    const flight = flights("a").begin(draft("s1"), open);
    if (flight === undefined) throw new Error("nobody else is in this session");
    const note = workerNotes(flight);
    for (const event of events) note(event);
    return flight.workers;
  };

  test("is kept from its beginning, also when it was killed or stopped from outside", () => {
    expect(workersAfter(began)).toEqual([worker]);
    expect(workersAfter(began, task({ subtype: "task_updated", task_id: "a1", status: "killed" }))).toEqual([
      worker,
    ]);
  });

  const ended = (status: string) => task({ subtype: "task_notification", task_id: "a1", status });

  test("ends with its report", () => {
    expect(workersAfter(began, ended("completed"))).toEqual([]);
  });

  test("of one that failed ends when the main thread answers to it, and not with a worker's words", () => {
    const words = (of: object) => createEvent("text", of, { text: "it failed; I do it otherwise" });
    expect(workersAfter(began, ended("failed"))).toEqual([worker]);
    expect(workersAfter(began, ended("failed"), words({ parent_tool_use_id: "t9" }))).toEqual([worker]);
    expect(workersAfter(began, ended("failed"), words({}))).toEqual([]);
  });

  test("ends when the model itself stops it", () => {
    const stop = createEvent("tool_call", { id: "t1", input: { task_id: "a1" } }, { tool: "TaskStop" });
    expect(workersAfter(began, stop)).toEqual([]);
  });

  test("is not kept of a command, nor of one that works for another worker", () => {
    const command = task({ subtype: "task_started", task_id: "b1" });
    const nested = task({
      subtype: "task_started",
      task_id: "a2",
      subagent: "helper",
      parent_task_id: "a1",
    });
    expect(workersAfter(command, nested)).toEqual([]);
  });
});

/** Begins in session "s1" the moment it is told to, and prints whether it may. */
const CONTENDER = `
  const [{ InFlight }, { thisOwner }, { newDraft }, { systemClock }] = await Promise.all([
    "runtime/in-flight.ts", "runtime/owner.ts", "runtime/step-result.ts", "base/clock.ts",
  ].map((name) => import(process.argv[1] + name)));
  const run = process.argv[3];
  const flights = new InFlight({ directory: process.argv[2], run, owner: thisOwner(), clock: systemClock, onError: () => {} });
  process.stdout.write("ready ");
  process.stdin.once("data", () => {
    const flight = flights.begin({ ...newDraft("work", 1), sessionId: "s1" }, { resume: "s1", canGoOn: () => true });
    process.stdout.write(flight === undefined ? "told" : "began");
    process.stdin.once("data", () => process.exit(0));
  });
`;

test("of six processes that begin in one session at once, one does and five are told", async () => {
  mkdirSync(directory, { recursive: true });
  const source = `${pathToFileURL(resolve(import.meta.dirname, "../../src")).href}/`;
  const contenders = Array.from({ length: 6 }, (_, n) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", CONTENDER, source, directory, `run${n}`],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const says = (word: RegExp): Promise<string> =>
      new Promise((found, missing) => {
        const look = (): void => (word.test(said) ? found(said) : undefined);
        child.stdout.on("data", look);
        child.once("error", missing);
        child.once("exit", () => missing(new Error(`ended after ${said}`)));
        look();
      });
    return { child, says };
  });
  try {
    await Promise.all(contenders.map(({ says }) => says(/ready/)));
    for (const { child } of contenders) child.stdin.write("go\n");
    const words = await Promise.all(contenders.map(({ says }) => says(/told|began/)));
    expect(words.filter((word) => word.endsWith("began"))).toHaveLength(1);
    expect(records()).toHaveLength(1);
  } finally {
    for (const { child } of contenders) child.kill("SIGKILL");
  }
}, 60_000);
