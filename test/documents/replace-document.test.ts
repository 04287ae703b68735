import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceDocument } from "../../src/documents/replace-document.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "replace-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const replace = (text: string) =>
  replaceDocument(join(directory, "brief.md"), { text, epochMs: Date.UTC(2026, 0, 2, 12) });

test("keeps every text that was there, also within one second", () => {
  expect(replace("one\n")).toBeUndefined();
  const kept = [replace("two\n"), replace("three\n")];
  expect(kept.map((path) => readFileSync(path ?? "", "utf8"))).toEqual(["one\n", "two\n"]);
  expect(readFileSync(join(directory, "brief.md"), "utf8")).toBe("three\n");
  expect(readdirSync(join(directory, "archive"))).toEqual([
    expect.stringMatching(/^brief-20260102-\d{6}-2\.md$/),
    expect.stringMatching(/^brief-20260102-\d{6}\.md$/),
  ]);
});

test("keeps no empty file", () => {
  writeFileSync(join(directory, "brief.md"), " \n");
  expect(replace("one\n")).toBeUndefined();
  expect(readdirSync(directory)).toEqual(["brief.md"]);
});

test("keeps it where the caller says", () => {
  replace("one\n");
  const archiveAs = join(directory, "old", "work");
  const kept = replaceDocument(join(directory, "brief.md"), { text: "two\n", epochMs: 0, archiveAs });
  expect(kept).toMatch(/old\/work-\d{8}-\d{6}\.md$/);
});
