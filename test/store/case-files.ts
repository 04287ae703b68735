import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { entryOf } from "../../src/store/rows.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";

/** Real, anonymised transcripts that lie beside the project on its authors' machines. */
const CASES = resolve(import.meta.dirname, "../../../shared/cases/transcripts");

export const hasCaseFiles = existsSync(CASES);

export const CASE_FILES = [
  "orphans.jsonl",
  "api-errors.jsonl",
  "compaction.jsonl",
  "coordinator/main.jsonl",
  "coordinator/subagents/agent-a8b60e2c43648cb59.jsonl",
  "coordinator/subagents/agent-a4ff0e1ce30e00726.jsonl",
] as const;

export function readCase(name: (typeof CASE_FILES)[number]): SessionStoreEntry[] {
  return readFileSync(join(CASES, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const entry = entryOf(line);
      if (entry === undefined) throw new Error(`not an entry in ${name}: ${line.slice(0, 80)}`);
      return entry;
    });
}
