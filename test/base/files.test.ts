import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  assertWritable,
  ensureDirectory,
  readTextIfExists,
  setAside,
  withFileLock,
  writeTextAtomic,
} from "../../src/base/files.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-files-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("directories", () => {
  test("are made with their parents, and again without complaint", () => {
    const path = join(dir, "a", "b");
    ensureDirectory(path);
    ensureDirectory(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  test("that are files, or below one, are named in the error", () => {
    writeFileSync(join(dir, "file"), "");
    for (const path of [join(dir, "file"), join(dir, "file", "below")]) {
      expect(() => ensureDirectory(path)).toThrow(expect.objectContaining({ code: "files/not-a-directory" }));
    }
  });

  test.runIf(existsSync("/proc/self"))(
    "on a file system that cannot have them are an error, not an endless loop",
    () => {
      expect(() => ensureDirectory("/proc/flower/runs")).toThrow(
        expect.objectContaining({ code: "files/not-writable" }),
      );
      expect(() => assertWritable("/proc/self", "probe")).toThrow(
        expect.objectContaining({ code: "files/not-writable" }),
      );
    },
  );
});

test("a file is replaced as a whole, with the mode that was asked for", () => {
  const path = join(dir, "sub", "file");
  writeTextAtomic(path, "old");
  writeTextAtomic(path, "new", { mode: 0o600 });
  expect(readTextIfExists(path)).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(dir, "sub"))).toEqual(["file"]);
});

test("a file that is not there has no text, one that cannot be read is an error", () => {
  expect(readTextIfExists(join(dir, "absent"))).toBeUndefined();
  mkdirSync(join(dir, "directory"));
  expect(() => readTextIfExists(join(dir, "directory"))).toThrow(
    expect.objectContaining({ code: "files/not-readable" }),
  );
});

test("files that are set aside in the same second do not overwrite each other", () => {
  const path = join(dir, "books.json");
  const kept = ["one", "two", "three"].map((text) => {
    writeFileSync(path, text);
    return setAside(path, 0);
  });
  expect(new Set(kept).size).toBe(3);
  expect(kept.map((file) => readFileSync(file, "utf8"))).toEqual(["one", "two", "three"]);
});

test("a lock is released also when the work throws", () => {
  const path = join(dir, "books.json");
  expect(() =>
    withFileLock(path, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(withFileLock(path, () => "yes")).toBe("yes");
});
