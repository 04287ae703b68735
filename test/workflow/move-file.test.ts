import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveFile } from "../../src/workflow/move-file.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-move-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const failing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};

test.each([
  ["on one file system", undefined],
  ["from one file system to another", failing("EXDEV")],
])("a file moves %s", (_where, rename) => {
  const [from, to] = [join(dir, "from"), join(dir, "to")];
  writeFileSync(from, "words");
  expect(moveFile(from, () => to, rename)).toBe(true);
  expect(existsSync(from)).toBe(false);
  expect(readFileSync(to, "utf8")).toBe("words");
});

test("what is not there is not moved, and its target not asked for", () => {
  expect(moveFile(join(dir, "absent"), () => expect.unreachable())).toBe(false);
});

test("what cannot be moved stays, and nothing at the target is overwritten", () => {
  const [from, to] = [join(dir, "from"), join(dir, "to")];
  writeFileSync(from, "words");
  expect(() => moveFile(from, () => to, failing("EACCES"))).toThrow("EACCES");
  writeFileSync(to, "older");
  expect(() => moveFile(from, () => to, failing("EXDEV"))).toThrow("EEXIST");
  expect([from, to].map((path) => readFileSync(path, "utf8"))).toEqual(["words", "older"]);
});
