import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, temporaryTree } from "./temporary.ts";

/** Runs these test files with the reporter of `npm test`, as a user would from a pipe. */
function run(files: Readonly<Record<string, string>>) {
  const root = temporaryTree({ "package.json": '{ "type": "module" }', ...files });
  const ended = spawnSync(
    process.execPath,
    [
      join(ROOT, "node_modules/vitest/vitest.mjs"),
      "run",
      "--globals",
      `--root=${root}`,
      `--reporter=${join(ROOT, "test/support/count-reporter.ts")}`,
    ],
    { cwd: ROOT, encoding: "utf8", env: { PATH: process.env.PATH ?? "", NO_COLOR: "1" } },
  );
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

describe("the reporter of npm test", () => {
  test("prints the count and nothing else when all passes", () => {
    const passing = 'test("one", () => {}); test("two", () => {}); test.skip("three", () => {});';
    expect(run({ "a.test.js": passing })).toEqual({
      status: 0,
      stdout: "2 passed, 0 failed, 1 skipped\n",
      stderr: "",
    });
  });

  test("shows what failed, and where, before the count", () => {
    const { status, stdout, stderr } = run({
      "a.test.js": 'test("adds", () => {}); test("is right", () => expect(1).toBe(2));',
    });
    expect(stderr).toContain("a.test.js > is right");
    expect(stderr).toContain("expected 1 to be 2");
    expect(stdout).toBe("1 passed, 1 failed\n");
    expect(status).toBe(1);
  });

  test("fails a test that prints, and shows what it printed", () => {
    const { status, stdout, stderr } = run({
      "a.test.js": 'test("talks", () => console.log("by the way")); test("is quiet", () => {});',
    });
    expect(stderr).toContain("a.test.js > talks printed to stdout:\nby the way");
    expect(stdout).toBe("1 passed, 1 failed\n");
    expect(status).toBe(1);
  });

  test("counts a file that does not load", () => {
    const { status, stdout } = run({
      "a.test.js": 'throw new Error("no");',
      "b.test.js": 'test("b", () => {});',
    });
    expect(stdout).toBe("1 passed, 1 failed\n");
    expect(status).toBe(1);
  });
});
