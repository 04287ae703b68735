/**
 * `npm run outage -- [--minutes N]`: one real run during which the API cannot be reached for that
 * long, in the middle of a subagent's work, with the gateway on and the policy as it is by default. Nothing is put
 * forward on a clock.
 *
 * The same run without an outage comes first; then everything that is stored and every request must be the same. Prints
 * a short report. Exit code 1 when anything does not hold.
 */
import { isDeepStrictEqual, parseArgs } from "node:util";
import type { Event } from "../src/events/event.ts";
import { type Rows, rowsOf, sent, told } from "../test/faults/observe.ts";
import { LEAD, sendWorker } from "../test/faults/subagent-scenes.ts";
import { makeRunWorld } from "../test/support/run-world.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "12" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error("--minutes needs a number above zero");

interface Outcome {
  readonly ok: boolean;
  readonly error: string | null;
  readonly attempts: number;
  readonly errors: readonly string[];
  readonly told: string;
  readonly tookMs: number;
  readonly rows: Rows;
  /** What each call was sent, in the order of the calls that were answered. */
  readonly requests: readonly (readonly string[])[];
}

async function run(awayMs: number): Promise<Outcome> {
  const world = makeRunWorld();
  const events: Event[] = [];
  try {
    const away = async (): Promise<undefined> => {
      setTimeout(() => void model.accept(), awayMs);
      await model.refuse();
      return undefined;
    };
    const model = await world.play(sendWorker(...(awayMs === 0 ? [] : [away])));
    const runtime = world.runtime({ resilience: {} });
    const began = performance.now();
    const result = await runtime.run(LEAD, "go", {
      onEvent: (event) => {
        events.push(event);
        if (event.kind === "retry") console.log(`  ${seconds(performance.now() - began)}  ${event.text}`);
      },
    });
    return {
      ok: result.ok,
      error: result.error,
      attempts: result.attempts,
      errors: result.errors,
      told: told(events),
      tookMs: performance.now() - began,
      rows: await rowsOf(runtime, result.sessionId ?? ""),
      requests: model.calls.filter(({ answered }) => answered === "reply").map(sent),
    };
  } finally {
    await world.end();
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

console.log("without an outage:");
const undisturbed = await run(0);
console.log(`  ${undisturbed.ok ? "ok" : undisturbed.error} after ${seconds(undisturbed.tookMs)}`);
console.log(`${minutes} minutes without the API:`);
const outage = await run(minutes * 60_000);
console.log(`  ${outage.ok ? "ok" : outage.error} after ${seconds(outage.tookMs)}; told: ${outage.told}`);

const checks: readonly (readonly [string, boolean])[] = [
  ["both runs are ok", undisturbed.ok && outage.ok],
  ["one attempt, no error in the books", outage.attempts === 1 && outage.errors.length === 0],
  ["it lasted as long as the outage", outage.tookMs >= minutes * 60_000],
  ["it was told, and its end", /lost.*online$/.test(outage.told)],
  ["every stored row is the same", isDeepStrictEqual(outage.rows, undisturbed.rows)],
  ["every request is the same", isDeepStrictEqual(outage.requests, undisturbed.requests)],
];
for (const [what, holds] of checks) console.log(`${holds ? "ok    " : "BROKEN"} ${what}`);
if (checks.some(([, holds]) => !holds)) {
  for (const row of outage.rows.stored.filter((one) => !undisturbed.rows.stored.includes(one)))
    console.log(`  a row more: ${row.slice(0, 400)}`);
  for (const text of outage.requests.flat().filter((one) => !undisturbed.requests.flat().includes(one)))
    console.log(`  sent beside: ${text.slice(0, 400)}`);
  process.exitCode = 1;
}
