import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectKey } from "../../src/agent/project-key.ts";
import { STORIES } from "../../src/cli/demo/story.ts";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";

/** The demo as a newcomer runs it: an empty home, no credentials, the real SDK, CLI, tools, hooks and database. */

let dir: string;
let shop: string;
let first: FlowerExit;

/** What a user's shell may hold: each of these would take the CLI away from the scripted model, if it got there. */
const FOREIGN = {
  CLAUDE_CODE_USE_BEDROCK: "1",
  AWS_REGION: "nowhere-1",
  ANTHROPIC_CUSTOM_HEADERS: "x-mine: yes",
  HTTP_PROXY: "http://127.0.0.1:1",
  HTTPS_PROXY: "http://127.0.0.1:1",
};

const flower = (...args: string[]) =>
  startFlower(args, { cwd: dir, env: bareEnv(join(dir, "home"), FOREIGN) });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "flower-e2e-"));
  shop = join(dir, "shop");
  first = await flower("demo", "--dir", shop, "--lang", "en").ended;
}, 300_000);

afterAll(async () => {
  await endFlowers();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Row {
  readonly step: string;
  readonly session_id: string;
  readonly ok: boolean;
  readonly cost_usd: number;
  readonly num_turns: number;
  readonly run: string;
}

const rows = (): readonly Row[] =>
  JSON.parse(readFileSync(join(shop, "runs", "manifest.json"), "utf8")) as Row[];
const rowOf = (step: string): Row | undefined => rows().find((row) => row.step === step);
const notes = (name: string): string => join(shop, ".flower", "notes", name);

test("it ends well and says what lies where, what it cost, and that the model was scripted", () => {
  expect(first.stderr).toBe("");
  expect(first.code).toBe(0);
  for (const name of ["brief.md", "goal.md", "qa.md", "manifest.json", "lineage.json", "sessions.db"]) {
    expect(first.stdout).toContain(name);
  }
  expect(first.stdout).toContain(`flower demo --dir ${shop}`);
  expect(first.stdout).toMatch(/cost as the SDK counted it: \$0\.\d{4}/);
  expect(first.stdout).toContain("model in this demo is scripted");
  expect(first.stdout).toContain(STORIES.en.ask);
});

test("brief, goal and Q&A log are in the notes", () => {
  expect(Brief.load(notes("brief.md"))?.complete()).toBe(true);
  expect(Goal.load(notes("goal.md"))?.checks).toHaveLength(3);
  expect(readFileSync(notes("qa.md"), "utf8")).toContain("1.0.1");
});

test("the manifest holds every step and both verdicts with session, cost and turns", () => {
  expect(rows().map(({ step, ok }) => [step, ok])).toEqual([
    ["clarify", true],
    ["goal", true],
    ["work", true],
    ["work·verdict#1", true],
    ["work#round2", true],
    ["work·verdict#2", true],
  ]);
  for (const row of rows()) {
    expect(row.session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(row.cost_usd).toBeGreaterThan(0);
    expect(row.num_turns).toBeGreaterThan(0);
  }
  expect(rowOf("work#round2")?.session_id).toBe(rowOf("work")?.session_id);
  expect(new Set(rows().map(({ session_id }) => session_id)).size).toBe(5);
});

test("the lineage names the sessions of the three steps, and never a judge's", () => {
  const lineage: unknown = JSON.parse(readFileSync(join(shop, "runs", "lineage.json"), "utf8"));
  expect(lineage).toEqual({
    workspace: shop,
    lang: "en",
    woke: 0,
    asks: [STORIES.en.ask],
    steps: {
      clarify: rowOf("clarify")?.session_id,
      goal: rowOf("goal")?.session_id,
      work: rowOf("work")?.session_id,
    },
  });
});

test("the database holds the transcripts of the main thread and of both workers", async () => {
  const store = new SqliteSessionStore({ path: join(shop, "runs", "sessions.db") });
  const key = { projectKey: projectKey(shop), sessionId: rowOf("work")?.session_id ?? "" };
  const workers = await store.listSubkeys(key);
  expect(workers).toHaveLength(2);
  for (const subpath of workers)
    expect(JSON.stringify(await store.load({ ...key, subpath }))).toContain("npm test");
  const main = (await store.load(key)) ?? [];
  const denied = main.filter((entry) => "toolDenialKind" in entry);
  expect(denied.map((entry) => entry["toolDenialKind"])).toEqual(["permission-rule"]);
  expect(JSON.stringify(denied)).toContain("Agent");
  store.close();
});

test("the first verdict fails what really fails, the second passes what really passes", () => {
  expect(first.stdout).toContain("0.30000000000000004");
  const fixed = execFileSync("git", ["diff", "--", "src/total.js"], { cwd: shop, encoding: "utf8" });
  expect(fixed).toContain("+  return cents / 100;");
  const tests = execFileSync("node", ["--test"], { cwd: shop, encoding: "utf8" });
  expect(tests).toMatch(/pass 3/);
  expect(readFileSync(join(shop, "CHANGELOG.md"), "utf8")).toContain("## 1.0.1");
});

test("what the steps cost adds up to the total", () => {
  const cents = (pattern: RegExp): number[] =>
    [...first.stdout.matchAll(pattern)].map(([, usd]) => Math.round(Number(usd) * 10_000));
  const steps = cents(/^\+ \w+ done.* · \$(\d+\.\d{4}) · \d+ turns$/gm);
  expect(steps).toHaveLength(3);
  expect(steps.reduce((sum, cost) => sum + cost, 0)).toBe(cents(/^= total \$(\d+\.\d{4}) · /gm)[0]);
  expect(first.stdout).toMatch(/^\+ work done in 2 rounds · /m);
  const turns = rows()
    .slice(2)
    .reduce((sum, row) => sum + row.num_turns, 0);
  expect(first.stdout).toMatch(new RegExp(`^\\+ work done.* · ${turns} turns$`, "m"));
});

test("git sees the work and nothing of flower's own", () => {
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: shop, encoding: "utf8" });
  expect(
    status
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["M CHANGELOG.md", "M src/total.js", "?? test/cents.test.js", "?? test/quantity.test.js"]);
});

test("the command that it prints for the work shows new files as well", () => {
  const command = /^\. (git .*) {2}the work$/m.exec(first.stdout)?.[1] ?? "false";
  const shown = execFileSync("bash", ["-c", command], { encoding: "utf8" });
  for (const change of ["+  return cents / 100;", "+++ b/test/cents.test.js", "+++ b/test/quantity.test.js"])
    expect(shown).toContain(change);
});

test("flower and the CLI leave nothing but caches in the home of whoever ran it", () => {
  const home = join(dir, "home");
  // npm, which the worker ran, leaves its cache; so does a CLI that lives long enough to flush its MCP log (2.1.332).
  const caches = [".npm", ".cache"];
  expect(existsSync(home) ? readdirSync(home).filter((name) => !caches.includes(name)) : []).toEqual([]);
});

describe("the same command in the same directory", () => {
  let second: FlowerExit;

  beforeAll(async () => {
    second = await flower("demo", "--dir", shop).ended;
  }, 300_000);

  test("is a wake, says so, and ends well", () => {
    expect(second.stderr).toBe("");
    expect(second.code).toBe(0);
    expect(second.stdout).toContain("seen the demo before");
    expect(second.stdout).toMatch(/goes on from last time.*goal of 3 checks.*wake 1/);
  });

  test("goes on in the session of the work and asks nothing again", () => {
    const added = rows().slice(6);
    expect(added.map(({ step }) => step)).toEqual(["work", "work·verdict#1"]);
    expect(added[0]?.session_id).toBe(rows()[2]?.session_id);
    expect(added[0]?.run).not.toBe(rows()[2]?.run);
    expect(readFileSync(notes("qa.md"), "utf8").match(/1\.1\.0/g)).toHaveLength(1);
  });
});

test("another language than the directory has is refused, with what the demo offers instead", async () => {
  const { code, stdout, stderr } = await flower("demo", "--dir", shop, "--lang", "zh").ended;
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^x this directory is in English, and zh was asked for\. .*--dir\.\n$/);
  expect(stderr).not.toContain("--new");
});

test("a directory with other things in it is left alone", async () => {
  const other = mkdtempSync(join(dir, "other-"));
  writeFileSync(join(other, "thesis.txt"), "mine");
  const { code, stderr } = await flower("demo", "--dir", other).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^x .*\n$/);
  expect(stderr).toContain(`${other} is not empty`);
  expect(readdirSync(other)).toEqual(["thesis.txt"]);
});
