import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { isEphemeral } from "../src/shell/is-ephemeral.ts";
import { type Bench, figure } from "./figure.ts";

/** Real commands, when they lie beside the project. */
const corpus = join(import.meta.dirname, "../../shared/cases/real-commands.jsonl");
const BUILT_IN = [
  "git status",
  "git log --oneline -20 --graph --all",
  "cd src && git diff --stat main...HEAD -- . 2>/dev/null | tail -30",
  "grep -rn 'func.*Save' --include=*.go src | head -20",
  "find . -name '*.ts' -not -path '*/node_modules/*' | sort | uniq -c",
  "awk -F: 'NR>=3 && NR<=5 {printf \"%d: %s\\n\", NR, $0}' a.txt",
  "npm test 2>&1 | tail -5",
  'git commit -m "$(cat <<E\nfix: a thing\nE\n)"',
];

const ROUNDS = 30;

const bench: Bench = {
  name: "is-ephemeral",
  run: async () => {
    const commands = readCommands();
    // Warm both up with the same commands, then measure them in turn, so that both see the same machine.
    for (let round = 0; round < 5; round += 1) measure(commands);
    const rounds = Array.from({ length: ROUNDS }, () => measure(commands));
    const judgedUs = percentile95(rounds.flatMap(({ judged }) => judged));
    const parsedUs = percentile95(rounds.flatMap(({ parsed }) => parsed));
    return [
      figure({ bench: "is-ephemeral-p95", value: round2(judgedUs / parsedUs), unit: "ratio", target: "<=3" }),
      figure({ bench: "is-ephemeral-p95-time", value: round2(judgedUs), unit: "us", target: "<100" }),
      figure({ bench: "is-ephemeral-commands", value: commands.length, unit: "count", target: "" }),
    ];
  },
};

export default bench;

function readCommands(): readonly string[] {
  if (!existsSync(corpus)) return BUILT_IN;
  const lines = readFileSync(corpus, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => String(JSON.parse(line)));
}

interface Round {
  readonly judged: readonly number[];
  readonly parsed: readonly number[];
}

/** Microseconds for each command: our whole decision, and unbash's complete tree of the same text. */
function measure(commands: readonly string[]): Round {
  return {
    parsed: commands.map((command) => time(() => resolve(parse(command)))),
    judged: commands.map((command) => time(() => isEphemeral(command))),
  };
}

/** unbash reads words only when they are asked for, and a decision has to ask for them. */
function resolve(node: SyntaxNode): void {
  forEachChild(node, resolve);
}

function time(work: () => unknown): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1000;
}

function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
