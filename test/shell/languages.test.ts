import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isReadOnlyAwk } from "../../src/shell/checkers/awk-program.ts";
import { isReadOnlySed } from "../../src/shell/checkers/sed-script.ts";
import { makeWorld, type World } from "./world.ts";

/**
 * Scripts made of the pieces that decide between text and command. Those that pass although a dangerous sign stands in
 * them are given to the real program: had we read a quote, a bracket or a slash otherwise than it does, a file would
 * appear. No loops, so that every one ends.
 */
const SED = [
  "s",
  "/",
  "/",
  "/",
  "w new",
  "w",
  "e",
  "[",
  "]",
  "[^",
  "\\",
  "\\/",
  ";",
  "}",
  "{",
  "\n",
  "a",
  "b",
  ",",
  "|",
  "1",
];
const SED_MORE = [
  "$",
  "!",
  "p",
  "g",
  "y",
  "\\n",
  "&",
  " ",
  "I",
  "[[:alpha:]]",
  "s/a/b/",
  "w new",
  "s,a,b,",
  "touch new",
];
const AWK = [
  "print",
  "printf",
  " ",
  ">",
  '> "new"',
  "/",
  "/",
  '"',
  '"',
  "|",
  '"sh"',
  'system("touch new")',
  "(",
  ")",
  "{",
];
const AWK_MORE = [
  "}",
  ";",
  "\n",
  "$1",
  "a",
  "1",
  "=",
  "if",
  "(1)",
  "~",
  "!",
  "[",
  "]",
  "\\",
  '/"/',
  "#",
  "else",
  ",",
  "+",
  "++",
];
const AWK_REST = [
  "length",
  "-",
  "&&",
  "in",
  "a[1]",
  "BEGIN",
  "NR",
  "?",
  ":",
  "/[/]/",
  "\\/",
  '\\"',
  "1 > 0",
  '"> x"',
  "/>/",
];

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function dangerousLooking(
  pieces: readonly string[],
  sign: RegExp,
  passes: (script: string) => boolean,
): string[] {
  const scripts = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
    .map((parts) => parts.join(""))
    .chain((script) => fc.constantFrom(script, `{${script}}`));
  return fc
    .sample(scripts, 20_000)
    .filter((script) => sign.test(script) && passes(script))
    .slice(0, 60);
}

describe("a script that passes writes nothing when it is really run", () => {
  test("sed", () => {
    const scripts = dangerousLooking([...SED, ...SED_MORE], /[we]/, isReadOnlySed);
    expect(scripts.length).toBeGreaterThan(20);
    const before = world.fingerprint();
    world.run(scripts.flatMap((script) => [`sed ${quote(script)} a.txt`, `sed -E ${quote(script)} a.txt`]));
    expect({ scripts, after: world.fingerprint() }).toEqual({ scripts, after: before });
  });

  test("awk", () => {
    const scripts = dangerousLooking([...AWK, ...AWK_MORE, ...AWK_REST], />|\||system/, isReadOnlyAwk);
    expect(scripts.length).toBeGreaterThan(20);
    const before = world.fingerprint();
    world.run(scripts.map((script) => `awk ${quote(script)} a.txt`));
    expect({ scripts, after: world.fingerprint() }).toEqual({ scripts, after: before });
  });
});
