import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteSessionStore } from "../src/store/sqlite-session-store.ts";
import type { SessionStoreEntry } from "../src/store/types.ts";
import { bundledChild } from "../test/store/bundled-child.ts";
import type { Loaded } from "../test/store/loading-child.ts";
import { longSession } from "../test/store/long-session.ts";
import { type Bench, type Figure, figure, median } from "./figure.ts";

const SIZES = [10_000, 100_000] as const;
const ROUNDS = 3;
const ENTRIES_PER_BATCH = 500;
const KEY = { projectKey: "-work-project", sessionId: "s" };
const HOW = ["bare", "plain", "policies"] as const;
type How = (typeof HOW)[number];

/**
 * What a resume reads: sessions of 40 and 400 MB with the policies, without them, and by a bare SELECT with JSON.parse,
 * each in a process of its own, so that nobody pays for the garbage of the one before. The first load with policies,
 * which writes the archived results, is a figure of its own.
 *
 * Memory: the largest size of the process above that at its start, divided by what was read (the result without
 * policies, which are there to make it smaller).
 */
const bench = {
  name: "store-load",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "flower-bench-"));
    const child = await bundledChild("loading-child.ts");
    try {
      const all: Figure[] = [];
      const perEntry: Record<How, number[]> = { bare: [], plain: [], policies: [] };
      for (const size of SIZES) {
        const workspace = join(directory, String(size));
        await fill(join(workspace, "sessions.db"), size);
        const load = (how: How): Loaded => loaded(child.path, workspace, how);
        const first = load("policies");
        const rounds = Array.from({ length: ROUNDS }, () => ({
          bare: load("bare"),
          plain: load("plain"),
          policies: load("policies"),
        }));
        for (const how of HOW) perEntry[how].push(median(rounds.map((round) => round[how].ms)) / size);
        all.push(...figuresOf(size, first, rounds));
      }
      for (const how of ["plain", "policies"] as const) {
        const [small = 0, large = 0] = perEntry[how];
        all.push(
          figure({ bench: `store-load-growth-${how}`, value: large / small, unit: "ratio", target: "<=1.3" }),
        );
      }
      return all;
    } finally {
      for (const made of [directory, child.directory]) rmSync(made, { recursive: true, force: true });
    }
  },
} satisfies Bench;

export default bench;

function figuresOf(
  size: number,
  first: Loaded,
  rounds: readonly Readonly<Record<How, Loaded>>[],
): readonly Figure[] {
  const ratio = (how: How) => median(rounds.map((round) => round[how].ms / round.bare.ms));
  const memory = (how: How) => median(rounds.map((round) => round[how].peakBytes / round.plain.resultBytes));
  const name = `store-load-${size / 1000}k`;
  return [
    figure({ bench: `${name}-policies`, value: ratio("policies"), unit: "ratio", target: "<=1.5" }),
    figure({ bench: `${name}-plain`, value: ratio("plain"), unit: "ratio", target: "" }),
    figure({ bench: `${name}-memory-policies`, value: memory("policies"), unit: "ratio", target: "<=2" }),
    figure({ bench: `${name}-memory-plain`, value: memory("plain"), unit: "ratio", target: "<=2" }),
    figure({ bench: `${name}-memory-bare`, value: memory("bare"), unit: "ratio", target: "" }),
    figure({
      bench: `${name}-time`,
      value: median(rounds.map((round) => round.policies.ms)),
      unit: "ms",
      target: "",
    }),
    figure({ bench: `${name}-first-time`, value: first.ms, unit: "ms", target: "" }),
  ];
}

async function fill(path: string, size: number): Promise<void> {
  const store = new SqliteSessionStore({ path });
  let batch: SessionStoreEntry[] = [];
  for (const entry of longSession(size)) {
    batch.push(entry);
    if (batch.length < ENTRIES_PER_BATCH) continue;
    await store.append(KEY, batch);
    batch = [];
  }
  await store.append(KEY, batch);
  store.close();
}

function loaded(script: string, workspace: string, how: How): Loaded {
  const printed = execFileSync(process.execPath, ["--expose-gc", script, workspace, how], {
    encoding: "utf8",
  });
  const report: Loaded = JSON.parse(printed);
  return report;
}
