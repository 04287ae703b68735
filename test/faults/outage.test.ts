import { afterEach, expect, test } from "vitest";
import { specOf } from "../support/run-world.ts";
import { type FaultWorld, makeFaultWorld } from "./fault-world.ts";
import { rowsOf, sent, told } from "./observe.ts";
import { done, look } from "./scenes.ts";

let world: FaultWorld;

afterEach(() => world.end());

/** Looks every quarter of a minute: sixty of them are a quarter of an hour. */
async function run(probesInVain: number) {
  world = makeFaultWorld(true);
  await world.start();
  const away = async () => {
    world.awayForProbes(probesInVain, () => world.model.accept());
    await world.model.refuse();
    return undefined;
  };
  world.play(probesInVain === 0 ? [look, done] : [look, away, done]);
  const began = world.clock.now();
  const runtime = world.runtime();
  const result = await runtime.run(specOf(), "go", { onEvent: world.onEvent });
  const outcome = {
    result,
    lastedMs: world.clock.now() - began,
    told: told(world.events),
    rows: await rowsOf(runtime, result.sessionId ?? ""),
    sent: sent(world.model.calls.at(-1)),
  };
  return outcome;
}

test("a quarter of an hour without a network, by the clock, leaves no trace", async () => {
  const undisturbed = await run(0);
  await world.end();
  const { result, lastedMs, ...rest } = await run(60);
  expect(result).toMatchObject({ ok: true, attempts: 1, errors: [] });
  expect(lastedMs).toBeGreaterThanOrEqual(15 * 60_000);
  expect(rest).toEqual({ told: "lost, backoff, online", rows: undisturbed.rows, sent: undisturbed.sent });
});
