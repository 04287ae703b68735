import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RUN_MARKER } from "../../src/agent/environment.ts";
import { markedProcesses } from "../../src/agent/processes.ts";
import { projectKey } from "../../src/agent/project-key.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { reply, type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { LIBRARY } from "../support/built-command.ts";
import { endFlowers, type FlowerProcess, startFlower } from "../support/flower.ts";
import { LARGE_PAGES } from "../support/large-pages.ts";
import { MODEL } from "../support/run-agent.ts";

let dir: string;
let workspace: string;
let model: ScriptedModel;
/** Requests that wait until as many are there as the test wants at once. */
let waiting: (() => void)[];
let atOnce: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "flower-parallel-"));
  workspace = join(dir, "workspace");
  mkdirSync(workspace);
  waiting = [];
  model = await startScriptedModel(async ({ prompt }, signal) => {
    await new Promise<void>((go) => {
      waiting.push(go);
      signal.addEventListener("abort", () => go());
      if (waiting.length >= atOnce) for (const each of waiting) each();
    });
    return reply(`heard: ${prompt}`);
  });
});

afterEach(async () => {
  await endFlowers();
  await model.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** A workflow of one step that says its own name. */
function flow(step: string): string {
  const path = join(dir, `${step}.ts`);
  const library = pathToFileURL(LIBRARY).href;
  const spec = { name: "agent", instructions: "", model: MODEL, allowedTools: ["Read"] };
  writeFileSync(
    path,
    `import { Workflow } from ${JSON.stringify(library)};
export default new Workflow([{ name: ${JSON.stringify(step)}, spec: ${JSON.stringify(spec)}, prompt: "this is ${step}" }]);
`,
  );
  return path;
}

function start(step: string, runDir: string, ...flags: string[]): FlowerProcess {
  const env = model.env({
    configDir: join(dir, "unused"),
    path: process.env.PATH ?? "",
    home: dir,
    extra: { ...LARGE_PAGES, LANG: "C.UTF-8", NO_COLOR: "1" },
  });
  return startFlower(["run", flow(step), "-w", workspace, "-r", join(dir, runDir), ...flags], {
    cwd: dir,
    env,
  });
}

interface Row {
  readonly step: string;
  readonly session_id: string;
  readonly ok: boolean;
  readonly run: string;
}

const parsed = (runDir: string, name: string): unknown =>
  JSON.parse(readFileSync(join(dir, runDir, name), "utf8"));
const rows = (runDir: string): readonly Row[] =>
  existsSync(join(dir, runDir, "manifest.json")) ? (parsed(runDir, "manifest.json") as Row[]) : [];
const steps = (runDir: string): unknown => (parsed(runDir, "lineage.json") as { steps: unknown }).steps;
const runDirs = (): readonly string[] => readdirSync(dir).filter((name) => name.startsWith("runs"));

/** What the sessions of a run directory hold of what was said and answered, main thread only. */
async function saidIn(runDir: string): Promise<readonly string[]> {
  const store = new SqliteSessionStore({ path: join(dir, runDir, "sessions.db") });
  try {
    const key = projectKey(workspace);
    const sessions = await store.listSessions(key);
    const texts = await Promise.all(
      sessions.map(async ({ sessionId }) => JSON.stringify(await store.load({ projectKey: key, sessionId }))),
    );
    return texts.flatMap((text) => [...text.matchAll(/heard: this is (\w+)/g)].map(([, step]) => step ?? ""));
  } finally {
    store.close();
  }
}

/** Nothing of a run is left but its books. */
function expectNothingLeft(): void {
  for (const runDir of runDirs()) {
    expect(parsed(runDir, "claims.json")).toEqual({});
    expect(readdirSync(join(dir, runDir)).filter((name) => /\.lock$|\.corrupt-/.test(name))).toEqual([]);
    expect(readdirSync(join(dir, runDir, "in-flight"))).toEqual([]);
    expect(markedProcesses(RUN_MARKER, join(dir, runDir))).toEqual([]);
  }
}

test("eight flowers at once in eight run directories over one workspace lose nothing", async () => {
  const names = Array.from({ length: 8 }, (_, n) => `step${n}`);
  atOnce = names.length;
  const ends = await Promise.all(names.map((name) => start(name, `runs-${name}`).ended));
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, ""]));
  for (const name of names) {
    const [row, ...more] = rows(`runs-${name}`);
    expect(row).toMatchObject({ step: name, ok: true });
    expect(more).toEqual([]);
    expect(steps(`runs-${name}`)).toEqual({ [name]: row?.session_id });
    expect(await saidIn(`runs-${name}`)).toEqual([name]);
  }
  expectNothingLeft();
}, 300_000);

test("two flowers at once on different steps of one run directory do not get into each other's books", async () => {
  atOnce = 2;
  const ends = await Promise.all([start("one", "runs").ended, start("two", "runs").ended]);
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const booked = [...rows("runs")].sort((a, b) => (a.step < b.step ? -1 : 1));
  expect(booked.map(({ step, ok }) => [step, ok])).toEqual([
    ["one", true],
    ["two", true],
  ]);
  expect(new Set(booked.map(({ run }) => run)).size).toBe(2);
  expect(steps("runs")).toEqual(Object.fromEntries(booked.map((row) => [row.step, row.session_id])));
  expect([...(await saidIn("runs"))].sort()).toEqual(["one", "two"]);
  expectNothingLeft();
}, 300_000);

test("a second flower on the same step is told so and leaves; a dead one's step is taken over", async () => {
  atOnce = 2;
  const first = start("one", "runs");
  await first.printed("one");
  const second = await start("one", "runs").ended;
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^x another flower \(\d+@.*\) .*"one".*\n$/);
  expect(rows("runs")).toEqual([]);
  first.kill("SIGKILL");
  await first.ended;
  atOnce = 1;
  expect(await start("one", "runs", "--force").ended).toMatchObject({ code: 0, stderr: "" });
  expect(rows("runs").map(({ ok }) => ok)).toEqual([false, true]);
  expectNothingLeft();
}, 300_000);
