import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { differences, fingerprint } from "../../src/workflow/fingerprint.ts";
import { copyWorkspace } from "../../src/workflow/workspace-copy.ts";

let dir: string;
let workspace: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-copy-"));
  workspace = join(dir, "shop");
  mkdirSync(workspace);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function git(args: readonly string[], cwd = workspace): string {
  return execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

/** A repository with something of every kind: committed, staged, changed, deleted, new, ignored, a branch and a stash. */
function makeRepository(): void {
  git(["init", "--quiet", "-b", "main"]);
  write("kept.txt", "kept");
  write("changed.txt", "before");
  write("deleted.txt", "gone soon");
  write("staged.txt", "before");
  write("stashed.txt", "before");
  write(".gitignore", "node_modules/\ndist/\n.env\n");
  write("run.sh", "echo hi");
  chmodSync(join(workspace, "run.sh"), 0o755);
  symlinkSync("kept.txt", join(workspace, "link"));
  git(["add", "--all"]);
  git(["commit", "--quiet", "-m", "first"]);
  write("stashed.txt", "put away");
  git(["stash", "--quiet"]);
  git(["branch", "other"]);
  write("changed.txt", "after");
  write("staged.txt", "after");
  git(["add", "staged.txt"]);
  rmSync(join(workspace, "deleted.txt"));
  write("新 file.txt", "new");
  write("node_modules/dep/index.js", "module.exports = 1");
  write("dist/out.js", "built");
  write(".env", "SECRET=1");
  write("runs/sessions.db", "ours");
}

const look = (linked: readonly string[] = []) =>
  fingerprint(workspace, { isSkipped: (path) => path.startsWith(join(workspace, "runs")), linked });
const copy = (from = workspace) =>
  copyWorkspace(from, { into: join(dir, "room"), skip: [join(workspace, "runs")] });
const inCopy = (path: string): string => readFileSync(join(dir, "room", path), "utf8");

describe("a copy of a repository", () => {
  beforeEach(makeRepository);

  test("holds what the workspace holds now, staged and unstaged as there, and not flower's own files", async () => {
    const { path } = await copy();
    expect(path).toBe(join(dir, "room"));
    expect(
      ["kept.txt", "changed.txt", "staged.txt", "新 file.txt", "dist/out.js", ".env"].map(inCopy),
    ).toEqual(["kept", "after", "after", "new", "built", "SECRET=1"]);
    expect(existsSync(join(path, "deleted.txt"))).toBe(false);
    expect(existsSync(join(path, "runs"))).toBe(false);
    expect(readlinkSync(join(path, "link"))).toBe("kept.txt");
    expect(statSync(join(path, "run.sh")).mode & 0o111).not.toBe(0);
    const status = (cwd: string): string => git(["status", "--porcelain"], cwd);
    const original = status(workspace)
      .split("\n")
      .filter((line) => !line.includes("runs"));
    expect(status(path).split("\n")).toEqual(original);
    expect(git(["log", "--format=%s"], path)).toBe("first");
  });

  test("leaves the original as it was, byte for byte in its repository too", async () => {
    const before = await look();
    const objects = git(["count-objects", "-v"]);
    await copy();
    expect(differences(before, await look())).toEqual([]);
    expect(git(["count-objects", "-v"])).toBe(objects);
  });

  test("has refs, stash and configuration of its own, and no remote", async () => {
    const before = await look();
    const { path } = await copy();
    expect(git(["remote"], path)).toBe("");
    git(["checkout", "--quiet", "--force", "--detach"], path);
    git(["branch", "-D", "main"], path);
    git(["commit", "--quiet", "--allow-empty", "-m", "mine"], path);
    git(["config", "core.pager", "less"], path);
    writeFileSync(join(path, "kept.txt"), "spoilt");
    expect(() => git(["stash", "drop"], path)).toThrow();
    expect(differences(before, await look())).toEqual([]);
  });

  test("reaches installed dependencies, and takes what a tool writes beside them", async () => {
    const { path, linked } = await copy();
    expect(linked).toEqual([join(workspace, "node_modules")]);
    expect(inCopy("node_modules/dep/index.js")).toBe("module.exports = 1");
    expect(lstatSync(join(path, "node_modules", "dep")).isSymbolicLink()).toBe(true);
    mkdirSync(join(path, "node_modules", ".cache"));
    expect(existsSync(join(workspace, "node_modules", ".cache"))).toBe(false);
  });

  test("of a directory in it is that directory, with the whole repository around it", async () => {
    write("packages/one/a.txt", "one");
    const { path } = await copy(join(workspace, "packages", "one"));
    expect(path).toBe(join(dir, "room", "packages", "one"));
    expect([inCopy("packages/one/a.txt"), inCopy("kept.txt")]).toEqual(["one", "kept"]);
  });

  test("holds the files of a repository in it", async () => {
    write("inner/a.txt", "inner");
    git(["init", "--quiet"], join(workspace, "inner"));
    git(["add", "--all"], join(workspace, "inner"));
    git(["commit", "--quiet", "-m", "inner"], join(workspace, "inner"));
    await copy();
    expect(inCopy("inner/a.txt")).toBe("inner");
  });
});

test("a file that was changed in the second in which it was staged is copied as it is now", async () => {
  git(["init", "--quiet"]);
  for (let n = 0; n < 20; n += 1) write(`${n}.txt`, "2.00");
  git(["add", "--all"]);
  for (let n = 0; n < 20; n += 1) write(`${n}.txt`, "3.00");
  await copy();
  for (let n = 0; n < 20; n += 1) expect(inCopy(`${n}.txt`)).toBe("3.00");
});

test("a repository without a commit, and a directory without a repository, are copied too", async () => {
  write("a.txt", "a");
  write("node_modules/dep/index.js", "1");
  write("runs/sessions.db", "ours");
  const plain = await copy();
  expect([inCopy("a.txt"), inCopy("node_modules/dep/index.js")]).toEqual(["a", "1"]);
  expect(existsSync(join(plain.path, "runs"))).toBe(false);
  rmSync(join(dir, "room"), { recursive: true });
  git(["init", "--quiet"]);
  await copy();
  expect(inCopy("a.txt")).toBe("a");
});

describe("a fingerprint", () => {
  const changes: readonly (readonly [what: string, change: () => void, told: string])[] = [
    ["another content of the same length", () => write("kept.txt", "kepT"), "kept.txt"],
    ["a new file", () => write("more.txt", ""), "more.txt"],
    ["a deleted file", () => rmSync(join(workspace, "kept.txt")), "kept.txt"],
    ["the right to be run", () => chmodSync(join(workspace, "kept.txt"), 0o755), "kept.txt"],
    ["a commit", () => git(["commit", "--quiet", "--allow-empty", "-m", "x"]), "HEAD"],
    ["a deleted branch", () => git(["branch", "-D", "other"]), "refs"],
    ["a dropped stash", () => git(["stash", "drop", "--quiet"]), "refs"],
    ["what is staged", () => git(["add", "changed.txt"]), "index"],
    ["configuration", () => git(["config", "core.pager", "less"]), "config"],
    ["a hook", () => write(".git/hooks/pre-commit", "exit 1"), "hooks"],
    [
      "a dependency",
      () => write("node_modules/dep/index.js", "module.exports = 2"),
      "node_modules/dep/index.js",
    ],
  ];

  test.each(changes)("tells %s", async (_what, change, told) => {
    makeRepository();
    const linked = [join(workspace, "node_modules")];
    const before = await look(linked);
    change();
    expect(differences(before, await look(linked))).toContain(told);
  });

  test("does not tell who looked, what was fetched, or what flower wrote", async () => {
    makeRepository();
    const before = await look();
    git(["status"]);
    git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    write("kept.txt", "kept");
    write("runs/sessions.db", "more");
    write("dist/out.js", "built again");
    expect(differences(before, await look())).toEqual([]);
  });
});
