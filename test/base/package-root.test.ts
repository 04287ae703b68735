import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../src/base/package-root.ts";

test("is flower's own by default", () => {
  expect(packageRoot()).toBe(resolve(import.meta.dirname, "../.."));
});

test("is the nearest directory with a package.json, at any depth", () => {
  const root = mkdtempSync(join(tmpdir(), "flower-package-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const deep = join(root, "dist", "chunks", "more");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(root, "package.json"), "{}");
  expect(packageRoot(deep)).toBe(root);
  expect(packageRoot(root)).toBe(root);
});

test("is an error where there is none", () => {
  expect(() => packageRoot(parse(tmpdir()).root)).toThrow("package.json");
});
