import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { STORIES } from "../../src/cli/demo/story.ts";
import type { Lang } from "../../src/lang/lang.ts";
import { connect } from "../../src/store/database.ts";
import { bareEnv, endFlowers, startFlower } from "../support/flower.ts";

let dir: string;
let shop: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-kill-"));
  shop = join(dir, "shop");
});

afterEach(async () => {
  await endFlowers();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const demo = (lang: Lang) =>
  startFlower(["demo", "--dir", shop, "--lang", lang], { cwd: dir, env: bareEnv(dir) });
const rows = (): { step: string; error: string | null }[] =>
  JSON.parse(readFileSync(join(shop, "runs", "manifest.json"), "utf8")) as ReturnType<typeof rows>;
const steps = (): string[] => rows().map(({ step }) => step);
/** Transcripts of subagents in the database. */
function workers(): readonly string[] {
  const database = connect(join(shop, "runs", "sessions.db"));
  try {
    return database
      .all("SELECT store_key FROM meta WHERE store_key LIKE '%/subagents/%'")
      .map((row) => String((row as { store_key: unknown }).store_key));
  } finally {
    database.close();
  }
}

/** Where to kill: by something that has just been printed. The languages share the moments. */
const MOMENTS = [
  { when: "while the worker is at work", lang: "en", printed: "| > Edit" },
  { when: "while the judge looks", lang: "zh", printed: STORIES.zh.judging },
] as const;
const SAID = {
  en: { wake: "goes on from last time", end: /^work·verdict#\d$/ },
  zh: { wake: "接上上次", end: /^干活·判定#\d$/ },
} as const;

test.each(MOMENTS)(
  "a demo ($lang) that is killed $when wakes in its directory and goes on to the end",
  async ({ lang, printed }) => {
    const killed = demo(lang);
    await killed.printed(printed);
    killed.kill("SIGKILL");
    expect((await killed.ended).signal).toBe("SIGKILL");
    const { code, stdout, stderr } = await demo(lang).ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain(SAID[lang].wake);
    expect(steps().at(-1)).toMatch(SAID[lang].end);
    expect(markedProcesses("FLOWER_RUN_DIR", join(shop, "runs"))).toEqual([]);
    // What was going on is booked, and nobody's work was begun anew: there is one worker for each round.
    expect(rows().filter(({ error }) => error === "killed-by-signal")).toHaveLength(1);
    expect(readdirSync(join(shop, "runs", "in-flight"))).toEqual([]);
    expect(workers()).toHaveLength(2);
  },
  300_000,
);

test("a demo that is interrupted leaves with 130, its books written, and nothing running", async () => {
  const interrupted = demo("en");
  await interrupted.printed("| > Edit");
  interrupted.kill("SIGINT");
  const { code, stderr } = await interrupted.ended;
  expect(code).toBe(130);
  expect(stderr).toBe("");
  expect(steps()).toContain("work");
  expect(markedProcesses("FLOWER_RUN_DIR", join(shop, "runs"))).toEqual([]);
}, 300_000);
