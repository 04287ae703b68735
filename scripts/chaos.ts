/**
 * `npm run chaos -- [--rounds N] [--seed N] [--points]`: kills flower, the CLI or both at the fault points and at
 * random moments of the demo's flow, gives the command again until it is done, and looks at what is left.
 *
 * Prints one line a round and a summary; the seed reproduces. Exit code 1 when anything does not hold.
 */
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import buildCommand from "../test/support/built-command.ts";
import { describePlan, type Plan, pointPlans, randomPlan, seeded } from "../test/support/chaos/plan.ts";
import { describeRound, playRound } from "../test/support/chaos/round.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    points: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const seed = Number(values.seed);
const random = seeded(seed);
const plans: readonly Plan[] = [
  ...(values.points ? pointPlans(random) : []),
  ...Array.from({ length: Number(values.rounds) }, () => randomPlan(random)),
];

await buildCommand();
const totals = { rounds: 0, hits: 0, starts: 0, broken: 0 };
for (const [index, plan] of plans.entries()) {
  if (values.only !== undefined && !values.only.split(",").includes(String(index + 1))) continue;
  const began = performance.now();
  const keep = (_broken: readonly string[], shop: string): void => {
    const kept = mkdtempSync(join(tmpdir(), "flower-chaos-broken-"));
    cpSync(shop, kept, { recursive: true });
    console.log(`       kept in ${kept}`);
  };
  const round = await playRound(plan, keep).catch((thrown: unknown) => ({
    plan,
    starts: 0,
    hits: 0,
    calls: 0,
    broken: [
      `the round itself failed: ${thrown instanceof Error ? thrown.stack : String(thrown)} ${describePlan(plan)}`,
    ],
  }));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${String(index + 1).padStart(3)} ${seconds.padStart(5)} s ${describeRound(round)}`);
  totals.rounds += 1;
  totals.hits += round.hits;
  totals.starts += round.starts;
  if (round.broken.length > 0) totals.broken += 1;
}
console.log(
  `seed ${seed}: ${totals.rounds} rounds, ${totals.hits} deaths, ${totals.starts} starts, ${totals.broken} broken`,
);
if (totals.broken > 0) process.exitCode = 1;
