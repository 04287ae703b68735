import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { runCommand } from "../../src/workflow/run-command.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-run-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"], ANTHROPIC_API_KEY: "sk-secret", FLOWER_TEST: "yes" };
const run = (command: string, more: { limitMs?: number; signal?: AbortSignal } = {}) =>
  runCommand(command, { cwd: dir, env, clock: systemClock, ...more });

describe("the command of a check", () => {
  test("tells how it ended, and the end of what it printed on both streams", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
      exitCode: 3,
      timedOut: false,
      tail: expect.stringMatching(/out[\s\S]*err|err[\s\S]*out/),
    });
    expect(await run("true")).toMatchObject({ exitCode: 0, tail: "" });
    const long = await run("for i in $(seq 1 5000); do echo line $i 😀; done");
    expect(long.tail.length).toBeLessThanOrEqual(4_000);
    expect(long.tail.trimEnd().endsWith("line 5000 😀")).toBe(true);
    expect(long.tail).not.toMatch(/^[\uDC00-\uDFFF]/);
  });

  test("runs where it is told, without input and without credentials", async () => {
    const { exitCode, tail } = await run("cat; pwd; env");
    expect(exitCode).toBe(0);
    expect(tail).toContain(dir);
    expect(tail).toContain("FLOWER_TEST=yes");
    expect(tail).not.toMatch(/ANTHROPIC|sk-secret/);
  });

  test("is ended with all it started when it takes too long", async () => {
    const late = await run("(setsid sleep 300 &) ; echo begun; sleep 300", { limitMs: 1_000 });
    expect(late).toMatchObject({ exitCode: null, timedOut: true, tail: "begun\n" });
    expect(markedProcesses("FLOWER_TEST", "yes")).toEqual([]);
  });

  test("does not wait for a server that it leaves, which goes with it", async () => {
    expect(await run("sleep 300 & echo served")).toMatchObject({ exitCode: 0, tail: "served\n" });
    expect(markedProcesses("FLOWER_TEST", "yes")).toEqual([]);
  });

  test("that cannot be started says why", async () => {
    const nowhere = await runCommand("true", { cwd: join(dir, "no"), env, clock: systemClock });
    expect(nowhere).toMatchObject({
      exitCode: null,
      timedOut: false,
      tail: expect.stringContaining("ENOENT"),
    });
    expect((await run("no-such-program-at-all")).exitCode).toBe(127);
  });

  test("ends with who waits for it, and begins nothing afterwards", async () => {
    const leave = new AbortController();
    const running = run("sleep 300; touch done", { signal: leave.signal });
    setTimeout(() => leave.abort(new Error("left")), 200);
    await expect(running).rejects.toThrow("left");
    expect(markedProcesses("FLOWER_TEST", "yes")).toEqual([]);
    await expect(run("touch done", { signal: leave.signal })).rejects.toThrow("left");
    expect(existsSync(join(dir, "done"))).toBe(false);
  });
});
