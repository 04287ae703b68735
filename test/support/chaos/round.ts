import { brokenInvariants, type Death, deathNow } from "./invariants.ts";
import { describePlan, type Plan } from "./plan.ts";
import { startAndStrike } from "./strike.ts";
import { makeChaosWorld } from "./world.ts";

export interface Round {
  readonly plan: Plan;
  /** How often the command was given. */
  readonly starts: number;
  /** Strikes that hit somebody. */
  readonly hits: number;
  /** Requests that the model got. */
  readonly calls: number;
  /** What does not hold; empty when all is well. */
  readonly broken: readonly string[];
}

/** Starts beyond the strikes until it has to be done. */
const SPARE_STARTS = 2;

/** Kills as planned, gives the same command until it is done, and looks at what is there. */
export async function playRound(
  plan: Plan,
  keep?: (broken: readonly string[], shop: string) => void,
): Promise<Round> {
  const world = await makeChaosWorld(plan.flow);
  try {
    const strikes = [...plan.strikes];
    const most = strikes.length + SPARE_STARTS;
    const deaths: Death[] = [];
    const broken: string[] = [];
    let starts = 0;
    for (let isDone = false; !isDone && starts < most; ) {
      starts += 1;
      const exit = await startAndStrike(world, strikes, () => deaths.push(deathNow(world)));
      isDone = exit.code === 0;
      if (exit.signal === null && !isDone)
        broken.push(
          `start ${starts} ended with ${exit.code}: ${exit.stderr.trim()} ${exit.stdout.split("\n").slice(-4).join(" | ")}`,
        );
      if (isDone && exit.stderr !== "") broken.push(`start ${starts} said on stderr: ${exit.stderr.trim()}`);
    }
    broken.push(...(await brokenInvariants(world, deaths)));
    if (broken.length > 0) keep?.(broken, world.shop);
    return { plan, starts, hits: deaths.length, calls: world.model.calls.length, broken };
  } finally {
    await world.end();
  }
}

export function describeRound({ plan, starts, hits, calls, broken }: Round): string {
  const what = `${describePlan(plan)} (${hits} of ${plan.strikes.length} hit, ${starts} starts, ${calls} requests)`;
  return broken.length === 0
    ? `ok     ${what}`
    : `BROKEN ${what}\n${broken.map((line) => `       - ${line}`).join("\n")}`;
}
