import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TrimPolicy } from "../../src/store/policies.ts";
import { PruningSessionStore } from "../../src/store/pruning-session-store.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { blocksOf, isApiError, resultText, toolUsesOf, uuidOf } from "../../src/store/transcript.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { CASE_FILES, hasCaseFiles, readCase } from "./case-files.ts";
import { feedBack } from "./feed-back.ts";
import { ancestry, expectPaired, expectProtectedUntouched, expectWholeChain } from "./invariants.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-store-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const key = { projectKey: "-work-case", sessionId: "5e551014-0000-4000-8000-000000000001" };

/** The cases were shortened: results of 300 characters are large here. */
const trimSmall = { minChars: 300, keepRecent: 10 };

async function resume(entries: SessionStoreEntry[], trim: TrimPolicy = trimSmall) {
  const path = join(directory, "sessions.db");
  const store = new PruningSessionStore({ path, workspace: directory, trim, prune: { keepDenials: 0 } });
  await store.append(key, entries);
  const loaded = await store.load(key);
  const again = await store.load(key);
  store.close();
  const plain = new SqliteSessionStore({ path });
  const kept = await plain.load(key);
  plain.close();
  if (loaded === null || again === null || kept === null) throw new Error("nothing was stored");
  return { loaded, again, kept, store };
}

// The cases lie beside the project and are no part of it; without them the count says that it was skipped.
describe.runIf(hasCaseFiles)("real transcripts through all policies", () => {
  test.each(CASE_FILES)("%s comes out paired, in one chain, and the same every time", async (name) => {
    const entries = readCase(name);
    const { loaded, again, kept } = await resume(entries);
    expectPaired(loaded);
    expectWholeChain(loaded);
    expectProtectedUntouched(entries, loaded);
    expect(again).toEqual(loaded);
    expect(kept).toEqual(entries);
  });

  test("the calls that were never answered get a result right after them", async () => {
    const { loaded, store } = await resume(readCase("coordinator/main.jsonl"));
    expect(store.lastReport.healed).toBe(5);
    const at = loaded.findIndex((entry) => blocksOf(entry).some((block) => block.name === "Agent"));
    expect(loaded[at + 1]?.parentUuid).toBe(uuidOf(loaded[at] ?? { type: "" }));
  });

  test("the API error is gone and what was said after it still hangs on what was said before", async () => {
    const entries = readCase("api-errors.jsonl");
    const { loaded, store } = await resume(entries);
    expect(store.pruned).toBe(1);
    expect(loaded.filter(isApiError)).toEqual([]);
    const error = entries.find(isApiError);
    const child = loaded.find((entry) => uuidOf(entry)?.startsWith("af7636"));
    expect(child?.parentUuid).toBe(error?.parentUuid);
  });

  test("the words of a person in a refusal stay, the bare interrupt is said neutrally", async () => {
    const { loaded } = await resume(readCase("compaction.jsonl"), { enabled: false });
    const texts = loaded.flatMap((entry) => blocksOf(entry).map(resultText));
    expect(texts.some((text) => text.includes("the user said:\nCan we check"))).toBe(true);
    expect(texts.some((text) => text.includes("STOP what you are doing"))).toBe(false);
  });

  test("every pointer leads to the full text, in a file of the owner alone", async () => {
    const entries = readCase("orphans.jsonl");
    const originals = new Map(
      entries.flatMap((entry) =>
        blocksOf(entry).map((block) => [String(block.tool_use_id), resultText(block)]),
      ),
    );
    const { loaded, store } = await resume(entries);
    let pointers = 0;
    for (const block of loaded.flatMap(blocksOf)) {
      const path = /The full text is in (.+); use Read/.exec(resultText(block))?.[1];
      if (path === undefined) continue;
      pointers += 1;
      expect(readFileSync(path, "utf8")).toBe(originals.get(String(block.tool_use_id)));
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(pointers).toBe(store.lastReport.trimmed);
    expect(pointers).toBeGreaterThan(20);
  });

  test.each(CASE_FILES)(
    "in %s the way from the last entry to its root keeps all it had but what was dropped",
    async (name) => {
      const entries = readCase(name);
      const { loaded } = await resume(entries);
      const leaf = entries.findLast((entry) => uuidOf(entry) !== undefined && !isApiError(entry));
      const there = new Set(loaded.flatMap((entry) => uuidOf(entry) ?? []));
      const before = ancestry(entries, leaf?.uuid ?? "").filter((uuid) => there.has(uuid));
      const after = new Set(ancestry(loaded, leaf?.uuid ?? ""));
      expect(before.filter((uuid) => !after.has(uuid))).toEqual([]);
    },
  );

  test.each(CASE_FILES)("%s with rows lost at random still comes out paired and in one chain", (name) => {
    const entries = readCase(name);
    // A call that was lost while its result was kept is the CLI's to repair: it drops such results.
    const losable = entries.filter((entry) => toolUsesOf(entry).length === 0);
    fc.assert(
      fc.property(fc.subarray(losable), (lost) => {
        const gone = new Set(lost);
        const left = entries.filter((entry) => !gone.has(entry));
        const knobs = { keepRecent: 3, minChars: 300, keepDenials: 1 };
        const fed = feedBack(left, knobs);
        expectPaired(fed);
        expectWholeChain(fed);
        expectProtectedUntouched(left, fed);
        expect(feedBack(fed, knobs)).toEqual(fed);
      }),
      { numRuns: 10 },
    );
  });
});
