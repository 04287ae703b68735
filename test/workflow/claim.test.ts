import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../src/runtime/owner.ts";
import { type ClaimOptions, claimSteps } from "../../src/workflow/claim.ts";

let runDir: string;

beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), "claim-"));
});

afterEach(() => rmSync(runDir, { recursive: true, force: true }));

const claim = (run: string, steps: readonly string[], more: Partial<ClaimOptions> = {}) =>
  claimSteps({ runDir, run, steps, lang: "en", ...more });
const held = (): string[] =>
  Object.keys(JSON.parse(readFileSync(join(runDir, "claims.json"), "utf8")) as object);
const dead: Owner = { process: "1:1", host: hostname() };
const elsewhere: Owner = { process: "1:1", host: "another-machine" };

describe("steps that are claimed", () => {
  test("are refused to another run, all of them, until they are given back", () => {
    const giveBack = claim("a", ["goal", "work"]);
    expect(() => claim("b", ["clarify", "work"])).toThrow(
      expect.objectContaining({ code: "workflow/busy", message: expect.stringContaining('"work"') }),
    );
    expect(() => claim("b", ["work"], { force: true })).toThrow(
      expect.objectContaining({ code: "workflow/busy" }),
    );
    expect(held()).toEqual(["goal", "work"]);
    giveBack();
    claim("b", ["clarify", "work"]);
    expect(held()).toEqual(["clarify", "work"]);
  });

  test("stay with who claimed them first in the same run", () => {
    const outer = claim("a", ["work"]);
    claim("a", ["work", "more"])();
    expect(held()).toEqual(["work"]);
    outer();
    expect(held()).toEqual([]);
  });

  test("of a dead process are taken over", () => {
    claim("a", ["work"], { owner: dead });
    claim("b", ["work"])();
    expect(held()).toEqual([]);
  });

  test("of another machine are taken over on demand only", () => {
    claim("a", ["work"], { owner: elsewhere });
    expect(() => claim("b", ["work"])).toThrow(
      expect.objectContaining({ code: "workflow/busy", hint: expect.stringContaining("--force") }),
    );
    claim("b", ["work"], { force: true });
  });

  test("in a file that nobody can read are kept aside, and it is told", () => {
    writeFileSync(join(runDir, "claims.json"), "{");
    const notices: string[] = [];
    claim("a", ["work"], { onNotice: (text) => notices.push(text) });
    const kept = readdirSync(runDir).find((name) => name.startsWith("claims.json.corrupt-"));
    expect(kept).toBeDefined();
    expect(notices).toEqual([expect.stringContaining(kept ?? "?")]);
    expect(held()).toEqual(["work"]);
  });
});
