import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionStore, SessionStoreEntry } from "../../src/store/types.ts";

/** A store to be tried, and how it ends. */
export interface ConformanceSubject {
  readonly store: SessionStore;
  readonly close: () => void;
}

export interface ConformanceOptions {
  readonly make: () => ConformanceSubject;
  /** Whether appending is idempotent by uuid: the contract says SHOULD, the SDK's in-memory store does not. */
  readonly deduplicates: boolean;
}

const PROJECT = "-work-project";
const main = { projectKey: PROJECT, sessionId: "11111111-0000-4000-8000-000000000001" };
const other = { projectKey: PROJECT, sessionId: "11111111-0000-4000-8000-000000000002" };
const agent = { ...main, subpath: "subagents/agent-a1" };

function said(uuid: string, text = uuid): SessionStoreEntry {
  return {
    type: "user",
    uuid,
    parentUuid: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: text },
  };
}

/** What the SDK's `SessionStore` contract (0.3.332) asks of every store, as tests. */
export function describeConformance(name: string, { make, deduplicates }: ConformanceOptions): void {
  describe(`${name} keeps the SDK's session store contract`, () => {
    let subject: ConformanceSubject;
    let store: SessionStore;
    beforeEach(() => {
      subject = make();
      store = subject.store;
    });
    afterEach(() => subject.close());

    test("a key that was never written loads as null", async () => {
      expect(await store.load(main)).toBeNull();
      await store.append(main, [said("a")]);
      expect(await store.load(agent)).toBeNull();
    });

    test("entries come back deep-equal and in the order of the calls", async () => {
      const odd = {
        type: "future-thing",
        nested: { list: [1, null, { 深: "值" }], text: "a\u0000b\ud83d\ude00" },
      };
      await store.append(main, [said("a"), odd]);
      await store.append(main, [said("b")]);
      expect(await store.load(main)).toEqual([said("a"), odd, said("b")]);
    });

    test("entries without a uuid are appended each time", async () => {
      await store.append(main, [{ type: "mode", mode: "normal" }]);
      await store.append(main, [{ type: "mode", mode: "normal" }]);
      expect(await store.load(main)).toHaveLength(2);
    });

    test("main and subagent transcripts are apart, and subagents are listed by their subpath", async () => {
      await store.append(main, [said("a")]);
      await store.append(agent, [said("b")]);
      await store.append({ ...main, subpath: "subagents/deep/agent-a2" }, [said("c")]);
      await store.append({ ...other, subpath: "subagents/agent-a3" }, [said("d")]);
      expect(await store.load(main)).toEqual([said("a")]);
      expect(await store.load(agent)).toEqual([said("b")]);
      expect((await store.listSubkeys(main)).sort()).toEqual([
        "subagents/agent-a1",
        "subagents/deep/agent-a2",
      ]);
    });

    test("sessions of one project are listed, without subagents and without other projects", async () => {
      await store.append(main, [said("a")]);
      await store.append(agent, [said("b")]);
      await store.append(other, [said("c")]);
      await store.append({ ...main, projectKey: `${PROJECT}-2` }, [said("d")]);
      const ids = (await store.listSessions(PROJECT)).map((session) => session.sessionId);
      expect(ids.sort()).toEqual([main.sessionId, other.sessionId]);
    });

    test("times are whole, strictly increasing, and the same in listing and summary", async () => {
      for (let round = 0; round < 5; round += 1) {
        await store.append(main, [said(`m${round}`)]);
        await store.append(other, [said(`o${round}`)]);
        const listed = new Map((await store.listSessions(PROJECT)).map((s) => [s.sessionId, s.mtime]));
        const summed = new Map(
          (await store.listSessionSummaries(PROJECT)).map((s) => [s.sessionId, s.mtime]),
        );
        expect(summed).toEqual(listed);
        expect(Number.isInteger(listed.get(main.sessionId))).toBe(true);
        expect(listed.get(other.sessionId) ?? 0).toBeGreaterThan(listed.get(main.sessionId) ?? Number.NaN);
      }
    });

    test("only main transcripts have a summary, and it tells the first prompt", async () => {
      await store.append(agent, [said("b", "for the agent")]);
      expect(await store.listSessionSummaries(PROJECT)).toEqual([]);
      await store.append(main, [said("a", "build it")]);
      const summaries = await store.listSessionSummaries(PROJECT);
      expect(summaries.map((summary) => summary.sessionId)).toEqual([main.sessionId]);
      expect(JSON.stringify(summaries[0]?.data)).toContain("build it");
    });

    test("a deleted session takes its subagents and its summary along, and nobody else's", async () => {
      for (const key of [main, agent, other]) await store.append(key, [said("a")]);
      await store.delete(main);
      expect(await store.load(main)).toBeNull();
      expect(await store.load(agent)).toBeNull();
      expect(await store.listSubkeys(main)).toEqual([]);
      expect(await store.load(other)).toEqual([said("a")]);
      expect((await store.listSessionSummaries(PROJECT)).map((s) => s.sessionId)).toEqual([other.sessionId]);
    });

    test("a deleted subagent leaves the session", async () => {
      await store.append(main, [said("a")]);
      await store.append(agent, [said("b")]);
      await store.delete(agent);
      expect(await store.load(agent)).toBeNull();
      expect(await store.load(main)).toEqual([said("a")]);
      expect(await store.listSessionSummaries(PROJECT)).toHaveLength(1);
    });

    test("deleting what is not there is nothing", async () => {
      await store.delete(main);
      expect(await store.listSessions(PROJECT)).toEqual([]);
    });

    // The SDK's own in-memory store makes no promise about known uuids: there is nothing to run there.
    if (!deduplicates) return;

    test("an entry with a known uuid is skipped, within a batch and across batches", async () => {
      await store.append(main, [said("a"), said("a"), said("b")]);
      await store.append(main, [said("b"), said("c")]);
      expect(await store.load(main)).toEqual([said("a"), said("b"), said("c")]);
    });

    test("a replayed batch changes neither time nor summary", async () => {
      await store.append(main, [said("a"), said("b")]);
      const before = [await store.listSessions(PROJECT), await store.listSessionSummaries(PROJECT)];
      await store.append(main, [said("a"), said("b")]);
      expect([await store.listSessions(PROJECT), await store.listSessionSummaries(PROJECT)]).toEqual(before);
    });

    test("the same uuid in another transcript is another entry", async () => {
      for (const key of [main, agent, other]) await store.append(key, [said("a")]);
      for (const key of [main, agent, other]) expect(await store.load(key)).toEqual([said("a")]);
    });
  });
}
