import type { Clock } from "../base/clock.ts";
import type { Flight } from "./in-flight.ts";
import type { StepDraft } from "./step-result.ts";

/** Keeps `draft.costUsd` true at any moment, so that a step that is killed has cost in the books what it cost. */
export interface StepCost {
  /** US dollars that the query that runs has cost so far. */
  readonly soFar: (usd: number) => void;
  /** That query is over and came to this. */
  readonly settle: (usd: number) => void;
}

/** How often at most the record on disk is written for money alone: what a `kill -9` may forget, in milliseconds. */
const SAVE_EVERY_MS = 5_000;

export function createStepCost(draft: StepDraft, flight: Pick<Flight, "save">, clock: Clock): StepCost {
  let settledUsd = draft.costUsd;
  let savedAt = Number.NEGATIVE_INFINITY;
  return {
    soFar: (usd) => {
      draft.costUsd = settledUsd + usd;
      if (clock.now() - savedAt < SAVE_EVERY_MS) return;
      savedAt = clock.now();
      flight.save();
    },
    settle: (usd) => {
      settledUsd += usd;
      draft.costUsd = settledUsd;
    },
  };
}
