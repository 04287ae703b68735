import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesShown, readsSpill } from "../../src/guards/reads-spill.ts";
import { put, temporaryDirectory } from "../workbench/temporary.ts";
import { call } from "./calls.ts";

describe("commands that only show files", () => {
  test.each([
    ["cat a.txt", ["a.txt"]],
    ["  cat -n a.txt b/c.txt ", ["a.txt", "b/c.txt"]],
    ["cat '/a b/c.txt'", ["/a b/c.txt"]],
    ['cat "/a b/c.txt"', ["/a b/c.txt"]],
    ["cat 花.txt", ["花.txt"]],
    ["head -100 a.txt", ["a.txt"]],
    ["head -n 100 a.txt", ["a.txt"]],
    ["head -c 4000 a.txt", ["a.txt"]],
    ["tail -n +20 a.txt", ["a.txt"]],
    ["tail -n50 a.txt", ["a.txt"]],
    ["sed -n '10,20p' a.txt", ["a.txt"]],
    ["sed -n 10p a.txt", ["a.txt"]],
    ["sed -n '10,$p' a.txt", ["a.txt"]],
    ["cat", []],
  ])("%s", (command, files) => {
    expect(filesShown(command)).toEqual(files);
  });

  test.each([
    "",
    "grep x a.txt",
    "cat a.txt | wc -l",
    "cat a.txt; ls",
    "cat a.txt\nls",
    "cat a.txt > b",
    "cat < a.txt",
    "cat $(ls)",
    "cat `ls`",
    "cat $FILE",
    'cat "$FILE"',
    "cat *.txt",
    "cat ~/a.txt",
    "cat a.txt &",
    "cat --files0-from=x a.txt",
    "cat 'a.txt",
    "cat 'a'b",
    "head --lines=5 a.txt",
    "head -x a.txt",
    "sed -n p a.txt",
    "sed '10,20p' a.txt",
    "sed -n '1e' a.txt",
    "sed -n 1p -i a.txt; ls",
  ])("not plain: %j", (command) => {
    expect(filesShown(command)).toBeUndefined();
  });
});

describe("reading spilled files back", () => {
  function world() {
    const workspace = temporaryDirectory();
    const spill = join(workspace, ".flower", "spill");
    const file = put(join(spill, "0123456789abcdef.txt"), "text");
    const other = put(join(workspace, "other.txt"), "text");
    const reads = (tool: string, input: Record<string, unknown>, cwd?: string): boolean =>
      readsSpill(call(tool, input, { cwd }), [spill], workspace);
    return { workspace, spill, file, other, reads };
  }

  test("a Read of a spilled file counts, with an offset and through a link too", () => {
    const { workspace, spill, file, reads } = world();
    expect(reads("Read", { file_path: file })).toBe(true);
    expect(reads("Read", { file_path: file, offset: 100, limit: 50 })).toBe(true);
    expect(reads("Read", { file_path: ".flower/spill/0123456789abcdef.txt" })).toBe(true);
    symlinkSync(spill, join(workspace, "link"));
    expect(reads("Read", { file_path: join(workspace, "link", "0123456789abcdef.txt") })).toBe(true);
  });

  test("a plain command over spilled files alone counts", () => {
    const { workspace, file, other, reads } = world();
    expect(reads("Bash", { command: `cat ${file}` })).toBe(true);
    expect(reads("Bash", { command: "head -50 .flower/spill/0123456789abcdef.txt" }, workspace)).toBe(true);
    expect(reads("Bash", { command: `cat ${file} ${other}` })).toBe(false);
    expect(reads("Bash", { command: "cat" })).toBe(false);
  });

  test("nothing else does", () => {
    const { spill, file, other, reads } = world();
    symlinkSync(other, join(spill, "disguised.txt"));
    expect(reads("Read", { file_path: join(spill, "disguised.txt") })).toBe(false);
    expect(reads("Read", { file_path: other })).toBe(false);
    expect(reads("Read", { file_path: join(spill, "..", "..", "other.txt") })).toBe(false);
    expect(reads("Read", { file_path: spill })).toBe(false);
    expect(reads("Read", {})).toBe(false);
    expect(reads("Grep", { pattern: "x", path: file })).toBe(false);
  });
});
