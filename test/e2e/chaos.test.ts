import { expect, test } from "vitest";
import type { Plan } from "../support/chaos/plan.ts";
import { playRound } from "../support/chaos/round.ts";

/**
 * A small selection of what `npm run chaos` does (docs/guide/testing.md): each victim at points that lie far apart, one
 * after the other in one run, which must end as if nothing had happened.
 */
const ROUNDS: readonly (Plan & { readonly what: string })[] = [
  {
    what: "a worker's first call, and a row that is not stored yet",
    flow: "shop",
    strikes: [
      { victim: "flower", moment: { point: "flight/worker", pass: 1 } },
      { victim: "cli", moment: { point: "store/append", pass: 12 } },
    ],
  },
  {
    what: "a document that only a full session knows, and the recovery from that",
    flow: "handoff",
    strikes: [
      { victim: "both", moment: { point: "handoff/written", pass: 1 } },
      { victim: "flower", moment: { point: "recover/adopted", pass: 1 } },
    ],
  },
];

test.each(ROUNDS)(
  "a run survives deaths at $what",
  async (plan) => {
    const { broken, hits } = await playRound(plan);
    expect(broken).toEqual([]);
    expect(hits).toBe(plan.strikes.length);
  },
  600_000,
);
