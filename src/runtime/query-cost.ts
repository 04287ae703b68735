import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { QueryLane } from "./lane.ts";
import type { Spend } from "./spend.ts";

/**
 * Runs a query and books what it cost. The SDK's own count comes with a turn's result; a query that was ended in
 * the middle of one has cost what went over the wire.
 */
export async function countCost(
  spend: Spend,
  { lane, signal }: { lane: QueryLane | undefined; signal: AbortSignal | undefined },
  run: () => Promise<QueryOutcome>,
): Promise<QueryOutcome> {
  const book = spend.begin(() => lane?.costUsd ?? 0);
  let costUsd = 0;
  try {
    const outcome = await run();
    const isCut = signal?.aborted === true || outcome.isCut;
    costUsd = isCut ? Math.max(outcome.costUsd, lane?.costUsd ?? 0) : outcome.costUsd;
    return { ...outcome, costUsd };
  } finally {
    book(costUsd);
  }
}
