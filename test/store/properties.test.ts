import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PruningSessionStore } from "../../src/store/pruning-session-store.ts";
import { isApiError, uuidOf } from "../../src/store/transcript.ts";
import type { SessionStoreEntry } from "../../src/store/types.ts";
import { transcript } from "./build.ts";
import { feedBack } from "./feed-back.ts";
import { ancestry, expectPaired, expectProtectedUntouched, expectWholeChain } from "./invariants.ts";

const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("glance" as const), text: fc.string() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("read" as const), chars: fc.nat(120) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("parallel" as const), answered: fc.subarray([0, 1, 2]) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("denied", "interrupted", "error", "orphan", "prompt", "says"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("compact", "meta", "unknown", "branch", "hole") }),
  },
);

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** A transcript such as a long run leaves: work, trouble, and rows that nobody knows. */
function play(moves: readonly Move[]): SessionStoreEntry[] {
  const t = transcript();
  t.prompt("go");
  moves.forEach((step, n) => {
    const id = `t${n}`;
    switch (step.do) {
      case "glance":
        t.bash(id, "git status");
        t.answers(id, "text" in step ? step.text : "", { toolUseResult: { stdout: "out", stderr: "" } });
        break;
      case "read":
        t.calls(id, "Read", {});
        t.answers(id, "r".repeat("chars" in step ? step.chars : 0), {
          toolUseResult: { file: { content: "r".repeat(100) } },
        });
        break;
      case "parallel": {
        const ids = [0, 1, 2].map((k) => `${id}-${k}`);
        const uuids = ids.map((each) =>
          t.add({
            type: "assistant",
            message: {
              id,
              content: [{ type: "tool_use", id: each, name: "Bash", input: { command: "ls" } }],
            },
          }),
        );
        for (const k of "answered" in step ? step.answered : [])
          t.answers(ids[k] ?? "", "a b c", { parentUuid: uuids[k] });
        break;
      }
      case "denied":
        t.denied(id);
        break;
      case "interrupted":
        t.bash(id, "make");
        t.answers(
          id,
          "The user doesn't want to proceed with this tool use. STOP what you are doing and wait for the user to tell you.",
          { toolDenialKind: "user-rejected" },
        );
        break;
      case "error":
        t.apiError();
        break;
      case "orphan":
        t.bash(id, "make");
        break;
      case "compact":
        t.add({
          type: "user",
          isCompactSummary: true,
          parentUuid: null,
          message: { role: "user", content: "summary ".repeat(50) },
        });
        break;
      case "meta":
        t.add({
          type: "user",
          isMeta: true,
          message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
        });
        break;
      case "unknown":
        t.entries.push({ type: "from-the-future", payload: [1, { two: null }] });
        break;
      case "branch":
        t.add({ type: "user", parentUuid: "u0", message: { role: "user", content: "again" } });
        break;
      case "hole":
        t.add({ type: "user", parentUuid: `lost${n}`, message: { role: "user", content: "after a gap" } });
        break;
      case "says":
        t.says("well");
        break;
      case "prompt":
        t.prompt("more");
        break;
    }
  });
  return t.entries;
}

const history = fc.array(move, { maxLength: 40 }).map(play);
const knobs = fc.record({ keepRecent: fc.nat(8), minChars: fc.nat(100), keepDenials: fc.nat(3) });

describe("whatever happened in a run, what is fed back", () => {
  test("has a result for every call, and every parent", () => {
    fc.assert(
      fc.property(history, knobs, (entries, options) => {
        const fed = feedBack(entries, options);
        expectPaired(fed);
        expectWholeChain(fed);
        expectProtectedUntouched(entries, fed);
      }),
    );
  });

  test("is the same when it is done again, and the input is as it was", () => {
    fc.assert(
      fc.property(history, knobs, (entries, options) => {
        const before = structuredClone(entries);
        const once = feedBack(entries, options);
        expect(feedBack(once, options)).toEqual(once);
        expect(entries).toEqual(before);
      }),
    );
  });

  test("keeps from the last entry upwards all that was above it and is still there", () => {
    fc.assert(
      fc.property(history, knobs, (entries, options) => {
        const fed = feedBack(entries, options);
        const there = new Set(fed.flatMap((entry) => uuidOf(entry) ?? []));
        const leaf =
          entries.findLast((entry) => there.has(uuidOf(entry) ?? "") && !isApiError(entry))?.uuid ?? "";
        const above = new Set(ancestry(fed, leaf));
        expect(ancestry(entries, leaf).filter((uuid) => there.has(uuid) && !above.has(uuid))).toEqual([]);
      }),
    );
  });

  test("carries rows that nobody knows through untouched", () => {
    fc.assert(
      fc.property(history, knobs, (entries, options) => {
        const unknown = (list: readonly SessionStoreEntry[]) =>
          list.filter((entry) => entry.type === "from-the-future");
        const fed = unknown(feedBack(entries, options));
        expect(fed.every((entry, index) => entry === unknown(entries)[index])).toBe(true);
        expect(fed).toHaveLength(unknown(entries).length);
      }),
    );
  });

  test("does not throw on entries of any shape", () => {
    const anything = fc.dictionary(
      fc.constantFrom(
        "uuid",
        "parentUuid",
        "message",
        "toolUseResult",
        "toolDenialKind",
        "isMeta",
        "compactMetadata",
      ),
      fc.oneof(
        fc.constantFrom<unknown>("a", "b", null, 3, true),
        fc.record({ id: fc.constant("m"), content: fc.oneof(fc.string(), fc.array(fc.anything())) }),
      ),
    );
    const entry = fc
      .tuple(fc.constantFrom("user", "assistant", "system"), anything)
      .map(([type, fields]) => ({ ...fields, type }));
    fc.assert(
      fc.property(fc.array(entry), knobs, (entries, options) => {
        feedBack(entries, options);
      }),
    );
  });
});

describe("append then load", () => {
  test("with all policies off gives back any JSON, once per uuid", async () => {
    const directory = mkdtempSync(join(tmpdir(), "flower-store-"));
    const store = new PruningSessionStore({
      path: join(directory, "sessions.db"),
      workspace: directory,
      trim: false,
      ephemeral: false,
      prune: false,
    });
    const entry = fc
      .tuple(fc.string(), fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }), fc.jsonValue())
      .map(
        ([type, uuid, body]): SessionStoreEntry => ({ type, ...(uuid === undefined ? {} : { uuid }), body }),
      );
    let session = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(entry, { maxLength: 6 }), { maxLength: 5 }), async (batches) => {
          const key = { projectKey: "p", sessionId: `s${session++}` };
          for (const batch of batches) await store.append(key, batch);
          const seen = new Set<string>();
          const expected = batches.flat().filter(({ uuid }) => {
            if (uuid === undefined) return true;
            if (seen.has(uuid)) return false;
            seen.add(uuid);
            return true;
          });
          const plain: unknown = JSON.parse(JSON.stringify(expected));
          expect((await store.load(key)) ?? []).toEqual(plain);
        }),
      );
    } finally {
      store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
