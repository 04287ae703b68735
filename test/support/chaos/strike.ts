import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { OWNER_MARKER, QUERY_MARKER } from "../../../src/agent/environment.ts";
import { markedProcesses, processIdentity } from "../../../src/agent/processes.ts";
import type { FlowerExit, FlowerProcess } from "../flower.ts";
import type { Strike } from "./plan.ts";
import type { ChaosWorld } from "./world.ts";

const LOOK_MS = 5;

/**
 * Starts flower once more and kills whom the first of `strikes` names, at its moment; a flower that outlives its CLI meets
 * the next one too. Takes what it used off the list. Resolves when flower is gone; `onDeath` is called at each death.
 */
export async function startAndStrike(
  world: ChaosWorld,
  strikes: Strike[],
  onDeath: () => void,
): Promise<FlowerExit> {
  let strike = strikes.shift();
  if (strike === undefined) return world.start().ended;
  const flower = world.start(orderOf(strike));
  let isOver = false;
  const ended = flower.ended.then((exit) => {
    isOver = true;
    if (exit.signal === "SIGKILL") onDeath();
    return exit;
  });
  for (;;) {
    await momentOf(world, flower, strike, { ended, isOver: () => isOver });
    if (isOver) return ended;
    const hit = strike.victim === "flower" ? 0 : await killClis(flower);
    if (strike.victim !== "cli") {
      flower.kill("SIGKILL");
      return ended;
    }
    if (hit > 0) onDeath();
    flower.kill("SIGCONT");
    const next = strikes[0];
    // A point has to be armed at the start.
    if (next === undefined || "point" in next.moment) return ended;
    strike = next;
    strikes.shift();
  }
}

/** At a point without `:stop` flower kills itself. */
function orderOf({ victim, moment }: Strike): string | undefined {
  return "point" in moment
    ? `${moment.point}@${moment.pass}${victim === "flower" ? "" : ":stop"}`
    : undefined;
}

/** Resolves at the moment of a strike, or when flower has ended before it. */
async function momentOf(
  world: ChaosWorld,
  flower: FlowerProcess,
  { victim, moment }: Strike,
  { ended, isOver }: { ended: Promise<unknown>; isOver: () => boolean },
): Promise<void> {
  if ("call" in moment) {
    const before = world.model.calls.length;
    if (moment.call > 0) await Promise.race([world.asked(before + moment.call), ended]);
    await Promise.race([delay(moment.afterMs), ended]);
  } else if (victim === "flower") await ended;
  else while (!isOver() && stateOf(flower.pid) !== "T") await delay(LOOK_MS);
}

/** The CLIs alone, not what they have started, which outlives them. Returns how many there were. */
async function killClis(flower: FlowerProcess): Promise<number> {
  const owner = processIdentity(flower.pid);
  const clis = markedProcesses(OWNER_MARKER, owner).filter(
    ({ pid, env }) => env.has(QUERY_MARKER) && fieldsOf(pid)?.[1] === String(flower.pid),
  );
  for (const { pid } of clis) process.kill(pid, "SIGKILL");
  const isThere = (pid: number): boolean => !["Z", "X", undefined].includes(stateOf(pid));
  while (clis.some(({ pid }) => isThere(pid))) await delay(LOOK_MS);
  return clis.length;
}

function stateOf(pid: number): string | undefined {
  return fieldsOf(pid)?.[0];
}

/** State, parent and so on: what follows the command in `/proc/<pid>/stat`. */
function fieldsOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
