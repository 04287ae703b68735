import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realPath } from "../../src/base/real-path.ts";
import { isInside } from "../../src/workbench/is-inside.ts";
import { temporaryDirectory } from "./temporary.ts";

test.each([
  ["/a/b", "/a/b", true],
  ["/a/b", "/a/b/c/d", true],
  ["/a/b", "/a/b/..c", true],
  ["/a/b", "/a/bc", false],
  ["/a/b", "/a", false],
  ["/a/b", "/x", false],
  ["/", "/x", true],
])("is %s the home of %s: %s", (directory, path, inside) => {
  expect(isInside(directory, path)).toBe(inside);
});

test("a file that does not exist yet is placed by its real parent", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "real"));
  symlinkSync(join(directory, "real"), join(directory, "link"));
  expect(realPath(join(directory, "link", "new", "file.txt"))).toBe(
    join(directory, "real", "new", "file.txt"),
  );
});

test("a loop of links is an error, not a place", () => {
  const directory = temporaryDirectory();
  symlinkSync(join(directory, "b"), join(directory, "a"));
  symlinkSync(join(directory, "a"), join(directory, "b"));
  expect(() => realPath(join(directory, "a"))).toThrow(/ELOOP/);
});
