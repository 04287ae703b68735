import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import type { Options } from "../../src/shell/options.ts";
import type { OptionsRule, VerbRule } from "../../src/shell/rules.ts";
import { VERBS } from "../../src/shell/verbs/verbs.ts";
import { glances } from "./glance-cases.ts";
import { realCommands } from "./real-commands.ts";
import { makeWorld, type World } from "./world.ts";

/** They talk to a daemon or a cluster, which is not part of a world that a test can own. */
const REMOTE = /\b(?:docker|kubectl)\b/;

/** Several hundred processes: seconds on an idle machine, minutes on one that builds something else. */
const SLOW_MS = 400_000;

let world: World;
let untouched: string;

beforeAll(() => {
  world = makeWorld();
  untouched = world.fingerprint();
});
afterAll(() => world.remove());

/**
 * The commands after which something is different. All are run, and only if there is a difference halves are tried
 * again from the beginning, until single commands are found.
 */
function findWriters(commands: readonly string[]): readonly string[] {
  world.run(commands);
  if (world.fingerprint() === untouched) return [];
  world.reset();
  expect(world.fingerprint()).toBe(untouched);
  if (commands.length === 1) return commands;
  const middle = Math.ceil(commands.length / 2);
  return [...findWriters(commands.slice(0, middle)), ...findWriters(commands.slice(middle))];
}

/** So that a command about somebody's machine does something here: its paths become ours. */
function moveIn(command: string): string {
  return command
    .replaceAll(/(?:cd|git -C) (?:\.\.|~|\/)[^\s;&|]*/g, (found) =>
      found.startsWith("cd") ? "cd ." : "git -C .",
    )
    .replaceAll(/(?:~|\/home\/dev|\/tmp|\/private\/tmp)\/[^\s'";&|]*/g, "a.txt")
    .replaceAll(/\b(?:cmd|lib|deps|assets)\/[^\s'";&|]*/g, "src/one.ts")
    .replaceAll(/\b(?:origin|alex|entire|fix)\/[\w./-]+/g, "feature/x");
}

describe("the sandbox", () => {
  const writers = [
    "echo x > new",
    "sed -i s/b/c/ a.txt",
    "sed -n 'w new' a.txt",
    "sed '1e touch new' a.txt",
    "sort -o b.txt a.txt",
    "uniq a.txt new",
    "xxd a.txt new",
    "xxd -ps a.txt new",
    "file -p a.txt",
    "awk '{print > \"new\"}' a.txt",
    "git ls-files --help -w",
    "find . -name b.txt -delete",
    "git diff --output=new HEAD",
    "git shortlog --output=new HEAD",
    "git branch new",
    "git tag new",
    "git config a.b c",
    "git stash",
    "git stash drop",
    "git reflog expire --expire=all --all",
    "git symbolic-ref HEAD refs/heads/feature/x",
    "touch ~/new",
    "chmod +x a.txt",
  ];
  test.each(writers)("notices %s, which is refused", (command) => {
    expect(isEphemeral(command)).toBe(false);
    expect(findWriters([command])).toEqual([command]);
  });
});

describe("whatever is accepted changes nothing", () => {
  test(
    "every glance of the case tables",
    () => {
      const local = glances.filter((command) => !REMOTE.test(command));
      expect(inBatches(local).flatMap(findWriters)).toEqual([]);
    },
    SLOW_MS,
  );

  // The cases lie beside the project and are no part of it; without them the count says that it was skipped.
  test.runIf(realCommands.length > 0)(
    "every real command, its paths turned into ours",
    () => {
      const accepted = realCommands.filter(isEphemeral);
      const moved = accepted.map(moveIn).filter(isEphemeral);
      expect(moved.length).toBeGreaterThan(accepted.length * 0.95);
      expect(inBatches([...new Set(moved)]).flatMap(findWriters)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "every option of every table, with a value where it takes one",
    () => {
      const tables = new Set<string>();
      const commands = installed([...VERBS.keys()].filter((verb) => !REMOTE.test(verb))).flatMap((verb) => {
        const rule = VERBS.get(verb);
        return rule === undefined
          ? []
          : everyOption({ verb, tried: new Set(), seen: new Set(), tables }, verb, rule);
      });
      expect(commands.length).toBeGreaterThan(500);
      expect(inBatches(commands).flatMap(findWriters)).toEqual([]);
    },
    SLOW_MS,
  );
});

interface Trial {
  readonly verb: string;
  /** Flags that an earlier sub-verb had. They name no file, so once is enough; options with values are all tried. */
  readonly tried: Set<string>;
  /** Rules that several sub-verbs share. */
  readonly seen: Set<VerbRule>;
  /** Tables that several verbs share: one program under several names (grep, egrep, fgrep). */
  readonly tables: Set<string>;
}

/** The others would only say that they are not found. */
function installed(verbs: readonly string[]): readonly string[] {
  const script = 'for verb do command -v -- "$verb" >/dev/null && printf "%s\\n" "$verb"; done';
  const { stdout } = spawnSync("bash", ["--norc", "-c", script, "bash", ...verbs], { encoding: "utf8" });
  return stdout.split("\n").filter((verb) => verb !== "");
}

/** One command for each option: a new entry in a table is tried here without anybody thinking of it. */
function everyOption(trial: Trial, name: string, rule: VerbRule): string[] {
  if (trial.seen.has(rule)) return [];
  trial.seen.add(rule);
  switch (rule.kind) {
    case "options":
      return optionTrials(trial, name, rule);
    case "subverbs":
      return [
        ...spellings(rule.globals, trial.tried)
          .map((option) => `${name} ${option}`)
          .filter(isEphemeral),
        ...[...rule.subverbs].flatMap(([sub, subrule]) => everyOption(trial, `${name} ${sub}`, subrule)),
      ];
    case "harmless":
    case "checked":
      return [
        `${name} a.txt new`,
        `${name} -o new a.txt`,
        `${name} -f new`,
        `${name} --output=new HEAD a.txt`,
      ].filter(isEphemeral);
  }
}

function optionTrials(trial: Trial, name: string, { options, limits }: OptionsRule): string[] {
  const table = JSON.stringify([[...options.letters], [...options.long], Object.keys(limits)]);
  if (trial.tables.has(table)) return [];
  trial.tables.add(table);
  const operand = trial.verb === "git" ? "HEAD" : "a.txt";
  const single = spellings(options, trial.tried).flatMap((option) => {
    const command = [`${name} ${option} ${operand}`, `${name} ${option}`].find(isEphemeral);
    return command === undefined ? [] : [command];
  });
  // Where operands are counted, a program that reads a cluster otherwise than we do finds one more.
  const clusters = Object.keys(limits).length === 0 ? [] : clustersOf(options);
  return [
    ...single,
    ...[
      ...clusters.map((cluster) => `${name} ${cluster} a.txt new`),
      ...swallowers(options, trial.tried).map((option) => `${name} ${option} -- --output=new -o new a.txt`),
    ].filter(isEphemeral),
  ];
}

/** A flag and behind it a letter with a value: `-ps`. */
function clustersOf({ letters }: Options): string[] {
  const of = (...shapes: readonly string[]): string[] =>
    [...letters].filter(([, shape]) => shapes.includes(shape)).map(([letter]) => letter);
  return of("flag").flatMap((flag) => of("value", "separate").map((value) => `-${flag}${value}`));
}

/** Options that we read without a value; should the program take the next word, it would miss the `--`. */
function swallowers(options: Options, tried: Set<string>): string[] {
  return [...options.long]
    .filter(([, shape]) => shape === "attached" || shape === "last")
    .map(([name]) => `--${name}`)
    .filter((option) => !tried.has(option) && tried.add(option).size > 0);
}

function spellings(options: Options, tried: Set<string>): string[] {
  const isNew = (flag: string): boolean => !tried.has(flag) && tried.add(flag).size > 0;
  const short = [...options.letters].flatMap(([letter, shape]) => {
    if (shape === "flag") return isNew(letter) ? [`-${letter}`] : [];
    return shape === "separate" ? [`-${letter} new`] : [`-${letter}new`];
  });
  const long = [...options.long].flatMap(([name, shape]) => {
    if (shape === "flag") return isNew(name) ? [`--${name}`] : [];
    return [`--${name}=new`];
  });
  return [...short, ...long];
}

/** Small enough that a batch ends well within its time. */
function inBatches(commands: readonly string[]): (readonly string[])[] {
  const size = 200;
  return Array.from({ length: Math.ceil(commands.length / size) }, (_unused, index) =>
    commands.slice(index * size, (index + 1) * size),
  );
}
