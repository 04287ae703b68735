import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import { glances } from "./glance-cases.ts";
import { refused } from "./refused-cases.ts";

/** Without what cannot be composed: a comment or a joint at the end, a negation, which no pipe may precede. */
const glance = fc.constantFrom(...glances.filter((command) => !/#|;$|^!/.test(command)));
const shellish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."ls git -C 'x' \"y\" $ ` ( ) { } [ ] < > | & ; \\ \n ~ * ? # = ! $( ${ $(( <<E <( ".split(" "),
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(...glances, ...refused),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(" "));

describe("whatever the input", () => {
  test("an arbitrary string gets an answer and no exception", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), shellish), (text) => {
        expect(typeof isEphemeral(text)).toBe("boolean");
      }),
      { numRuns: 2000 },
    );
  });

  test("the same command always gets the same answer", () => {
    fc.assert(
      fc.property(shellish, (text) => {
        expect(isEphemeral(text)).toBe(isEphemeral(text));
      }),
    );
  });
});

describe("a glance", () => {
  test("joined to another by ; && || | or a line break is still one", () => {
    fc.assert(
      fc.property(glance, fc.constantFrom(";", "&&", "||", "|", "|&", "\n"), glance, (left, joint, right) => {
        expect(isEphemeral(`${left} ${joint} ${right}`)).toBe(true);
      }),
    );
  });

  const poisons = [
    "; rm x",
    "&& rm x",
    "|| rm x",
    "| sh",
    "\nrm x",
    "$(rm x)",
    '"$(rm x)"',
    "`rm x`",
    "<(rm x)",
    "> file",
    ">> file",
    "2> file",
    "&> file",
    "< file",
    "<<< text",
    "&",
    "& ls",
    "$((x = 1))",
    "${x:=1}",
    "; x=1",
    "; PATH=.",
    "(",
    "'",
    "\u0000",
  ];
  test.each(poisons)("followed by %j is none any more", (poison) => {
    fc.assert(
      fc.property(glance, (command) => {
        expect(isEphemeral(`${command} ${poison}`)).toBe(false);
      }),
    );
  });

  const prefixes = [
    "rm x;",
    "GIT_DIR=x",
    "PATH=.",
    "time",
    "sudo",
    "exec",
    "eval",
    "xargs",
    "$X",
    "f()",
    "(",
    "if",
  ];
  test.each(prefixes)("behind %j is none any more", (prefix) => {
    fc.assert(
      fc.property(glance, (command) => {
        expect(isEphemeral(`${prefix} ${command}`)).toBe(false);
      }),
    );
  });
});

describe("input made to hurt the parser", () => {
  const openings = [
    "(",
    "((",
    "$(",
    "$((",
    '"$(',
    "${x:-",
    "`",
    "\\`",
    "{ ",
    "{a,",
    "[",
    "a[",
    "@(",
    "<(",
    "<<A ",
    "if ",
    "case x in ",
    "f()",
    "coproc ",
    "! ",
    "time ",
    "a|",
    "a&&",
  ];
  test.each(openings)("%j thousands of times over is refused", (opening) => {
    expect(isEphemeral(opening.repeat(4000))).toBe(false);
    expect(isEphemeral(`rm ${opening.repeat(33)}`)).toBe(false);
  });

  test("a megabyte is refused, whatever it says", () => {
    expect(isEphemeral(`echo ${"a".repeat(1024 * 1024)}`)).toBe(false);
    expect(isEphemeral("ls;".repeat(350_000))).toBe(false);
  });

  test("16 kB of plain words pass, one character more does not", () => {
    const longest = `echo ${"a".repeat(16 * 1024 - 5)}`;
    expect(isEphemeral(longest)).toBe(true);
    expect(isEphemeral(`${longest}a`)).toBe(false);
  });

  test("brackets nest 32 deep, quoted or not, and no deeper", () => {
    expect(isEphemeral(`grep '${"(".repeat(32)}' a`)).toBe(true);
    expect(isEphemeral(`grep '${"(".repeat(33)}' a`)).toBe(false);
  });
});
