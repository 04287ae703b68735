import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import type { Options } from "../../src/shell/options.ts";
import type { VerbRule } from "../../src/shell/rules.ts";
import { VERBS } from "../../src/shell/verbs/verbs.ts";
import { glances } from "./glance-cases.ts";
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
    "awk '{print > \"new\"}' a.txt",
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

  const corpus = join(import.meta.dirname, "../../../shared/cases/real-commands.jsonl");
  test.runIf(existsSync(corpus))(
    "every real command, its paths turned into ours",
    () => {
      const accepted = readFileSync(corpus, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => String(JSON.parse(line)))
        .filter(isEphemeral);
      const moved = accepted.map(moveIn).filter(isEphemeral);
      expect(moved.length).toBeGreaterThan(accepted.length * 0.95);
      expect(inBatches([...new Set(moved)]).flatMap(findWriters)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "every option of every table, with a value where it takes one",
    () => {
      const commands = [...VERBS]
        .filter(([verb]) => !REMOTE.test(verb))
        .flatMap(([verb, rule]) => everyOption({ verb, tried: new Set(), seen: new Set() }, verb, rule));
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
}

/** One command for each option: a new entry in a table is tried here without anybody thinking of it. */
function everyOption(trial: Trial, name: string, rule: VerbRule): string[] {
  if (trial.seen.has(rule)) return [];
  trial.seen.add(rule);
  switch (rule.kind) {
    case "options": {
      const operand = trial.verb === "git" ? "HEAD" : "a.txt";
      return spellings(rule.options, trial.tried).flatMap((option) => {
        const command = [`${name} ${option} ${operand}`, `${name} ${option}`].find(isEphemeral);
        return command === undefined ? [] : [command];
      });
    }
    case "subverbs":
      return [
        ...spellings(rule.globals, trial.tried)
          .map((option) => `${name} ${option}`)
          .filter(isEphemeral),
        ...[...rule.subverbs].flatMap(([sub, subrule]) => everyOption(trial, `${name} ${sub}`, subrule)),
      ];
    case "harmless":
      return [
        `${name} a.txt new`,
        `${name} -o new a.txt`,
        `${name} -f new`,
        `${name} --output=new HEAD a.txt`,
      ];
    case "checked":
      return [];
  }
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
  const size = 50;
  return Array.from({ length: Math.ceil(commands.length / size) }, (_unused, index) =>
    commands.slice(index * size, (index + 1) * size),
  );
}
