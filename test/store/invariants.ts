import { expect } from "vitest";
import {
  answeredIdsOf,
  contentOf,
  isProtected,
  parentOf,
  toolUsesOf,
  uuidOf,
} from "../../src/store/transcript.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";

/** Every call has exactly one result, and every result a call. */
export function expectPaired(entries: readonly SessionStoreEntry[]): void {
  const uses = entries.flatMap((entry) => toolUsesOf(entry).map((use) => use.id)).sort();
  const results = entries.flatMap(answeredIdsOf).sort();
  expect(results).toEqual(uses);
}

/** Every parent is there, or there is none; and nobody is his own ancestor. */
export function expectWholeChain(entries: readonly SessionStoreEntry[]): void {
  const parents = new Map(entries.map((entry) => [uuidOf(entry) ?? "", parentOf(entry) ?? null]));
  const lost = entries.flatMap((entry) => {
    const parent = parentOf(entry);
    return typeof parent === "string" && !parents.has(parent) ? [parent] : [];
  });
  expect(lost).toEqual([]);
  for (const entry of entries) {
    let at: string | null = uuidOf(entry) ?? null;
    for (let steps = 0; at !== null; steps += 1) {
      if (steps > entries.length) throw new Error(`a cycle above ${String(entry.uuid)}`);
      at = parents.get(at) ?? null;
    }
  }
}

/** The uuids from the leaf up to its root. */
export function ancestry(entries: readonly SessionStoreEntry[], leaf: string): readonly string[] {
  const parents = new Map(entries.map((entry) => [uuidOf(entry) ?? "", parentOf(entry) ?? null]));
  const way: string[] = [];
  for (
    let at: string | null = leaf;
    at !== null && way.length <= entries.length;
    at = parents.get(at) ?? null
  ) {
    way.push(at);
  }
  return way;
}

/** Summaries and the harness's remarks say what they said; no entry of the input is lost but those in `dropped`. */
export function expectProtectedUntouched(
  before: readonly SessionStoreEntry[],
  after: readonly SessionStoreEntry[],
): void {
  const kept = new Map(after.map((entry) => [uuidOf(entry) ?? "", entry]));
  for (const entry of before.filter(isProtected)) {
    const now = kept.get(uuidOf(entry) ?? "");
    expect(now).toBeDefined();
    if (now !== undefined) expect(contentOf(now)).toEqual(contentOf(entry));
  }
}
