import { FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";

/** What a run has cost so far, over steps, subagents, judges, handoffs and aborted attempts; and what it may. */
export interface Spend {
  /** US dollars: what is booked, and what queries that are running have cost so far. */
  readonly usd: number;
  /** Null: no limit. */
  readonly budgetUsd: number | null;
  /** A query begins; `soFar` is asked for its cost until the returned function books what it came to. */
  begin(soFar: () => number): (costUsd: number) => void;
  /** Why no further request may be sent; undefined while there is something left. */
  readonly refusal: () => string | undefined;
}

/**
 * Throws `runtime/bad-budget` for a budget that is no positive number of dollars.
 *
 * A budget is watched here and not by the SDK: that one ends background workers for good (HARNESS 13.8).
 */
export function createSpend(budgetUsd: number | null, lang: Lang): Spend {
  const say = runtimeMessages[lang];
  if (budgetUsd !== null && !(budgetUsd > 0)) {
    throw new FlowerError("runtime/bad-budget", say.badBudget(budgetUsd), { hint: say.badBudgetHint });
  }
  let booked = 0;
  const running = new Set<() => number>();
  const total = (): number => [...running].reduce((sum, soFar) => sum + soFar(), booked);
  return {
    get usd() {
      return total();
    },
    budgetUsd,
    begin: (soFar) => {
      running.add(soFar);
      return (costUsd) => {
        if (running.delete(soFar)) booked += costUsd;
      };
    },
    refusal: () => {
      const spent = total();
      return budgetUsd === null || spent < budgetUsd ? undefined : say.budgetSpent(spent, budgetUsd);
    },
  };
}
