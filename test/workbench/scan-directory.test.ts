import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HEAD_BYTES, MAX_VISITED, scanDirectory } from "../../src/workbench/scan-directory.ts";
import { put, temporaryDirectory } from "./temporary.ts";

function found(directory: string, root: string): Record<string, string> {
  const { entries } = scanDirectory(directory, root);
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.description]));
}

test("files come with their paths and descriptions, own files before those of subdirectories", () => {
  const root = temporaryDirectory();
  const scripts = join(root, "scripts");
  put(join(scripts, "b.sh"), "# desc: second\n");
  put(join(scripts, "a", "deep.py"), '"""Deep one."""\n');
  put(join(scripts, "z.sh"), "echo\n");
  expect(scanDirectory(scripts, root)).toEqual({
    complete: true,
    entries: [
      { path: join(scripts, "b.sh"), name: "b.sh", description: "second" },
      { path: join(scripts, "z.sh"), name: "z.sh", description: "" },
      { path: join(scripts, "a", "deep.py"), name: "a/deep.py", description: "Deep one." },
    ],
  });
});

test("a missing directory holds nothing", () => {
  const root = temporaryDirectory();
  expect(scanDirectory(join(root, "scripts"), root)).toEqual({ complete: true, entries: [] });
});

test("hidden files and copies of other people's code are left out", () => {
  const root = temporaryDirectory();
  put(join(root, "scripts", ".git", "config"), "");
  put(join(root, "scripts", ".env"), "SECRET=1");
  put(join(root, "scripts", "node_modules", "x", "index.js"), "");
  put(join(root, "scripts", "own.sh"), "");
  expect(found(join(root, "scripts"), root)).toEqual({ "own.sh": "" });
});

test("a link that leads out of the workbench is listed but not read, and no link is walked through", () => {
  const parent = temporaryDirectory();
  const root = join(parent, "bench");
  put(join(parent, "outside.sh"), "# desc: must not be shown\n");
  put(join(root, "notes", "inside.md"), "# A decision\n");
  mkdirSync(join(root, "scripts"));
  symlinkSync(join(parent, "outside.sh"), join(root, "scripts", "out.sh"));
  symlinkSync(join(root, "notes", "inside.md"), join(root, "scripts", "in.md"));
  symlinkSync(root, join(root, "scripts", "loop"));
  symlinkSync(join(parent, "nowhere"), join(root, "scripts", "broken"));
  expect(found(join(root, "scripts"), root)).toEqual({
    "in.md": "A decision",
    "out.sh": "",
    loop: "",
    broken: "",
  });
});

test("a directory that is itself a link out of the workbench is not looked into", () => {
  const parent = temporaryDirectory();
  const root = join(parent, "bench");
  put(join(parent, "elsewhere", "a.sh"), "");
  mkdirSync(root);
  symlinkSync(join(parent, "elsewhere"), join(root, "scripts"));
  expect(found(join(root, "scripts"), root)).toEqual({});
});

test("binary files have no description, and of a long file only the beginning is read", () => {
  const root = temporaryDirectory();
  put(join(root, "data.bin"), Buffer.from([0x23, 0x20, 0x61, 0x00, 0x62]));
  put(join(root, "late.txt"), `${"x\n".repeat(HEAD_BYTES / 2)}# too late\n`);
  put(join(root, "cut.txt"), `# ${"a".repeat(50)}\n${" ".repeat(HEAD_BYTES - 54)}花`);
  expect(found(root, root)).toEqual({ "data.bin": "", "late.txt": "", "cut.txt": "a".repeat(50) });
});

test("a pipe is listed and never opened", () => {
  const root = temporaryDirectory();
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(found(root, root)).toEqual({ pipe: "" });
});

test("a directory too large to walk is cut off, and says so", () => {
  const root = temporaryDirectory();
  for (let n = 0; n < MAX_VISITED + 1; n += 1) put(join(root, "artifacts", `f${n}`), "");
  const scan = scanDirectory(join(root, "artifacts"), root);
  expect(scan.complete).toBe(false);
  expect(scan.entries).toHaveLength(MAX_VISITED);
});
