import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellWord, shownPath } from "../../src/cli/shown-path.ts";

/** What a terminal acts on or does not show. */
const HIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

describe("a path that is printed", () => {
  test("is what it is, with spaces and letters of any script", () => {
    for (const path of ["/tmp/a", "/tmp/a  b", "/tmp/收银 台", '/tmp/"x"'])
      expect(shownPath(path)).toBe(path);
  });

  test("is quoted when it has characters that would not show", () => {
    expect(shownPath("/tmp/a\u001b[31mb\nc")).toBe('"/tmp/a\\u001b[31mb\\nc"');
    expect(shownPath("/tmp/\u202eexe.txt")).toBe('"/tmp/\\u202eexe.txt"');
  });

  test("hides nothing and loses nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (path) => {
        const shown = shownPath(path);
        expect(shown).not.toMatch(HIDDEN);
        expect(shown === path ? path : JSON.parse(shown)).toBe(path);
      }),
    );
  });
});

test("a path goes through a shell unharmed", () => {
  for (const path of ["/tmp/a b", "/tmp/it's", "/tmp/$(id)", "/tmp/a\u001bb\nit's\\", "plain"]) {
    const out = execFileSync("bash", ["-c", `printf %s ${shellWord(path)}`], { encoding: "utf8" });
    expect(out).toBe(path);
    expect(shellWord(path)).not.toMatch(HIDDEN);
  }
});
