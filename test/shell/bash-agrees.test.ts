import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCommands, type SimpleCommand } from "../../src/shell/parse.ts";
import type { Word } from "../../src/shell/word.ts";

/**
 * What bash really runs must be among what we said it would run. Commands here are made of a few letters and all the
 * signs of the shell; none of the verbs exists, so bash hands each to a function that writes down its arguments.
 */
const RECORDER = `
PATH=/nonexistent
shopt -u extglob
command_not_found_handle() { printf '%s\\0' "$#" "$@" >> "$RECORD"; }
eval "$0"`;

const letters = ["a", "b", "c", "a b", "b ", " ", " ", " ", "0", "1", "x=", "é", "--", "-", "/"];
const signs = [
  "; | |& && || & > < 2> 2>&1 >& &> >| <> << <<< <( $( $(( )) $[ ` $ $x ${x} $@ $? \" ' \\ $' $\" ( ) { } [ ] {a,b}",
  "* ? ~ ~/ = =~ : # ! % @ ^ , .. +( !(a) \"\" '' \"a b\" 'a' a\\ b x[1] 1- &1",
]
  .join(" ")
  .split(" ")
  .concat("\n", "\\\n", "\t", " #", "! ", " if ", "; then ", "; fi", "case a in ", "function ", "coproc ");
const source = fc
  .tuple(
    fc.constantFrom("a ", "b ", ""),
    fc.array(fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...signs)), {
      minLength: 1,
      maxLength: 10,
    }),
  )
  .map(([verb, pieces]) => verb + pieces.join(""));

/** Ours to run: representable, without redirections, and no verb that bash would find. */
function isTryable(commands: readonly SimpleCommand[] | undefined): commands is readonly SimpleCommand[] {
  return (
    commands?.every(({ verb, redirections }) => /^[abc01é]+$/.test(verb) && redirections.length === 0) ===
    true
  );
}

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "flower-bash-"));
  mkdirSync(join(root, "cwd"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function whatBashRuns(command: string): readonly (readonly string[])[] {
  const record = join(root, "record");
  writeFileSync(record, "");
  spawnSync("bash", ["--norc", "-c", RECORDER, command], {
    cwd: join(root, "cwd"),
    env: { PATH: process.env.PATH, HOME: "/home/somebody", RECORD: record, x: "v w" },
    stdio: "ignore",
    timeout: 5000,
    killSignal: "SIGKILL",
  });
  const fields = readFileSync(record, "utf8").split("\0").slice(0, -1);
  const runs: string[][] = [];
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]);
    runs.push(fields.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  return runs;
}

function predicts(command: SimpleCommand, run: readonly string[]): boolean {
  return command.verb === run[0] && fits(command.words, run.slice(1));
}

function fits(words: readonly Word[], args: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return args.length === 0;
  const [arg, ...others] = args;
  if (word.kind === "dynamic" && word.fields === "many" && fits(rest, args)) return true;
  if (arg === undefined) return false;
  if (word.kind === "static") return arg === word.text && fits(rest, others);
  const begins = arg.startsWith(word.prefix) || (word.prefix.startsWith("~") && arg.startsWith("/"));
  return begins && (fits(rest, others) || (word.fields === "many" && fits(words, others)));
}

test("bash runs nothing but what was foreseen, with the arguments that were foreseen", () => {
  let compared = 0;
  fc.assert(
    fc.property(source, (command) => {
      const commands = parseCommands(command);
      if (!isTryable(commands)) return;
      const runs = whatBashRuns(command);
      compared += runs.length;
      const surprises = runs.filter((run) => !commands.some((one) => predicts(one, run)));
      expect(surprises).toEqual([]);
      expect(readdirSync(join(root, "cwd"))).toEqual([]);
    }),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(50);
}, 300_000);
