import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { excludeFromGit } from "../../src/runtime/git-exclude.ts";

let dir: string;
let repo: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-exclude-"));
  repo = join(dir, "repo");
  mkdirSync(repo);
  execFileSync("git", ["init", "--quiet"], { cwd: repo });
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const status = (): string =>
  execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: repo, encoding: "utf8" });
const excluded = (): string[] => readFileSync(join(repo, ".git", "info", "exclude"), "utf8").split("\n");

test("git sees nothing of flower's own directories, however they are called, and the list does not grow", async () => {
  const own = [join(repo, "runs"), join(repo, "odd [name]*"), join(dir, "outside")];
  for (const path of own) {
    mkdirSync(path);
    writeFileSync(join(path, "file"), "");
  }
  expect(await excludeFromGit(repo, own)).toBeUndefined();
  expect(status()).toBe("");
  const once = excluded();
  await excludeFromGit(repo, own);
  expect(excluded()).toEqual(once);
  expect(once.filter((line) => line.includes("outside"))).toEqual([]);
});

test("a repository with a line break in its name gets its own list, and nobody else's file is touched", async () => {
  const odd = join(dir, "a\nREADME");
  mkdirSync(odd);
  execFileSync("git", ["init", "--quiet"], { cwd: odd });
  writeFileSync(join(odd, "README"), "mine");
  expect(await excludeFromGit(odd, [join(odd, "runs")])).toBeUndefined();
  expect(readFileSync(join(odd, "README"), "utf8")).toBe("mine");
  expect(readFileSync(join(odd, ".git", "info", "exclude"), "utf8")).toContain("/runs/");
});

test("a workspace behind a symbolic link is the same repository", async () => {
  const link = join(dir, "link");
  symlinkSync(repo, link);
  await excludeFromGit(link, [join(link, "runs")]);
  expect(excluded()).toContain("/runs/");
});

test("a subdirectory of a repository is excluded by its path from the top", async () => {
  mkdirSync(join(repo, "packages", "one"), { recursive: true });
  await excludeFromGit(join(repo, "packages", "one"), [join(repo, "packages", "one", "runs")]);
  expect(excluded()).toContain("/packages/one/runs/");
});

test("a list that cannot be written is told and stops nothing; without a repository there is nothing to do", async () => {
  rmSync(join(repo, ".git", "info"), { recursive: true });
  writeFileSync(join(repo, ".git", "info"), "a file");
  expect(await excludeFromGit(repo, [join(repo, "runs")])).toContain("info");
  expect(await excludeFromGit(dir, [join(dir, "runs")])).toBeUndefined();
  expect(existsSync(join(dir, ".git"))).toBe(false);
});
