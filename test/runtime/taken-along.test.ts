import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isTakenAlong } from "../../src/runtime/taken-along.ts";

let dir: string;
let workspace: string;
let other: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "flower-taken-")));
  workspace = join(dir, "我的 店");
  other = join(dir, "other");
  for (const path of [workspace, other]) mkdirSync(path);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("in a run directory inside the workspace every session came along with it", () => {
  const runDir = join(workspace, "runs");
  expect(
    [other, workspace, "/gone", undefined].map((cwd) => isTakenAlong(cwd, { workspace, runDir })),
  ).toEqual([true, true, true, true]);
});

test("in a run directory elsewhere those did that began here, or in a directory that is gone", () => {
  const at = { workspace, runDir: join(dir, "runs") };
  expect(isTakenAlong(workspace, at)).toBe(true);
  symlinkSync(workspace, join(dir, "link"));
  expect(isTakenAlong(join(dir, "link"), at)).toBe(true);
  expect(isTakenAlong(other, at)).toBe(false);
  expect(isTakenAlong(undefined, at)).toBe(false);
  const moved = join(dir, "moved");
  renameSync(workspace, moved);
  expect(isTakenAlong(workspace, { ...at, workspace: moved })).toBe(true);
});
