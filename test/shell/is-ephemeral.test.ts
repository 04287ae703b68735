import { describe, expect, test } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import type { VerbRule } from "../../src/shell/rules.ts";
import { VERBS } from "../../src/shell/verbs/verbs.ts";
import { GLANCES } from "./glance-cases.ts";
import { REFUSED } from "./refused-cases.ts";

describe.each(Object.entries(GLANCES))("a glance (%s)", (_family, commands) => {
  test.each(commands)("%s", (command) => {
    expect(isEphemeral(command)).toBe(true);
  });
});

describe.each(Object.entries(REFUSED))("not a glance (%s)", (_family, commands) => {
  test.each(commands)("%s", (command) => {
    expect(isEphemeral(command)).toBe(false);
  });
});

describe("the tables", () => {
  test("give a reason for every verb and sub-verb", () => {
    const silent = [...VERBS].flatMap(([verb, rule]) => withoutReason(verb, rule));
    expect(silent).toEqual([]);
  });

  test("let no sub-verb of git verify signatures or show the manual", () => {
    const git = VERBS.get("git");
    const names = git === undefined ? [] : subverbsOf("git", git);
    expect(names.length).toBeGreaterThan(40);
    const endings = [
      "--help",
      "--format=%G?",
      "--format %G?",
      "--pretty=%G?",
      "--pretty=format:%GK",
      "--group=%G?",
      "--group format:%G?",
      "--sort=signature",
      "--sort -signature:grade",
      '--format="$F"',
      '--pretty="$F"',
      '--group="$F"',
      '--sort="$F"',
    ];
    const passing = names.flatMap(([name, rule]) =>
      // A rule without a table is read by a program that has no such formats.
      (rule.kind === "checked" ? ["--help"] : endings)
        .map((ending) => `${name} ${ending}`)
        .filter(isEphemeral),
    );
    expect(passing).toEqual([]);
  });

  test("know no verb whose only purpose is to run another", () => {
    const runners = [
      "xargs",
      "exec",
      "eval",
      "source",
      ".",
      "tee",
      "sh",
      "bash",
      "sudo",
      "time",
      "nohup",
      "watch",
    ];
    expect(runners.filter((verb) => VERBS.has(verb))).toEqual([]);
  });
});

function withoutReason(name: string, rule: VerbRule): string[] {
  const own = rule.reason.length < 6 ? [name] : [];
  if (rule.kind !== "subverbs") return own;
  return [
    ...own,
    ...[...rule.subverbs].flatMap(([sub, subrule]) => withoutReason(`${name} ${sub}`, subrule)),
  ];
}

function subverbsOf(name: string, rule: VerbRule): (readonly [string, VerbRule])[] {
  if (rule.kind !== "subverbs") return [[name, rule]];
  return [
    [name, rule] as const,
    ...[...rule.subverbs].flatMap(([sub, subrule]) => subverbsOf(`${name} ${sub}`, subrule)),
  ];
}
