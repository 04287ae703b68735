import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { QueryLane } from "./lane.ts";
import type { Spend } from "./spend.ts";

/**
 * Runs a query and books what it cost: what its requests took over the wire, those that were cut included, which the
 * CLI does not count; or the CLI's own count where that is more, because it knows of other prices than tokens.
 */
export async function countCost(
  spend: Spend,
  lane: QueryLane | undefined,
  run: () => Promise<QueryOutcome>,
): Promise<QueryOutcome> {
  const book = spend.begin(() => lane?.costUsd ?? 0);
  let costUsd = 0;
  try {
    const outcome = await run();
    await lane?.close();
    costUsd = Math.max(outcome.costUsd, lane?.costUsd ?? 0);
    return { ...outcome, costUsd };
  } finally {
    book(costUsd);
  }
}
