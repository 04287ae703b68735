import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { bareEnv, startFlower } from "../support/flower.ts";

let dir: string;
let shop: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-kill-"));
  shop = join(dir, "shop");
});

afterEach(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const demo = () => startFlower(["demo", "--dir", shop, "--lang", "en"], { cwd: dir, env: bareEnv(dir) });
const steps = (): string[] =>
  (JSON.parse(readFileSync(join(shop, "runs", "manifest.json"), "utf8")) as { step: string }[]).map(
    ({ step }) => step,
  );

/** Where to kill: by something that has just been printed. */
const MOMENTS = [
  ["while the worker is at work", "| > Edit"],
  ["while the judge looks", "I run the checks myself"],
] as const;

test.each(MOMENTS)(
  "a demo that is killed %s wakes in its directory and goes on to the end",
  async (_when, printed) => {
    const killed = demo();
    await killed.printed(printed);
    killed.kill("SIGKILL");
    expect((await killed.ended).signal).toBe("SIGKILL");
    const { code, stdout, stderr } = await demo().ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("goes on from last time");
    expect(steps().at(-1)).toMatch(/^work·verdict#\d$/);
    expect(markedProcesses("FLOWER_RUN_DIR", join(shop, "runs"))).toEqual([]);
  },
  300_000,
);

test("a demo that is interrupted leaves with 130, its books written, and nothing running", async () => {
  const interrupted = demo();
  await interrupted.printed("| > Edit");
  interrupted.kill("SIGINT");
  const { code, stderr } = await interrupted.ended;
  expect(code).toBe(130);
  expect(stderr).toBe("");
  expect(steps()).toContain("work");
  expect(markedProcesses("FLOWER_RUN_DIR", join(shop, "runs"))).toEqual([]);
}, 300_000);
