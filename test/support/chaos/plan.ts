import { FAULT_POINTS, type FaultPoint } from "../../../src/base/fault-point.ts";

/** Who dies: flower, the CLI it has started, or both at once. */
export const VICTIMS = ["flower", "cli", "both"] as const;
export type Victim = (typeof VICTIMS)[number];

/** A moment of one start: when a fault point is passed for the n-th time, or a while after the n-th request. */
export type Moment =
  | { readonly point: FaultPoint; readonly pass: number }
  /** The requests of this start, from 1; 0 is the start itself. */
  | { readonly call: number; readonly afterMs: number };

export interface Strike {
  readonly victim: Victim;
  readonly moment: Moment;
}

/**
 * `shop`: the demo's flow, with the model outside so that it lives on and can count. `handoff`: the same, with a
 * coordinator whose context is full after its first call.
 */
export type Flow = "shop" | "handoff";

/** One strike for each start; from then on the command is only given again until it is done. */
export interface Plan {
  readonly flow: Flow;
  readonly strikes: readonly Strike[];
}

/** Numbers in [0, 1) that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Requests of one start among which a moment is chosen; a run that nobody disturbs has 26. */
const CALLS = 18;
const AFTER_MS = 400;
/** How often a run that nobody disturbs passes a point that it passes more than once. */
const PASSES: Partial<Record<FaultPoint, number>> = {
  "flight/begun": 6,
  "flight/session": 6,
  "flight/spawning": 6,
  "flight/worker": 2,
  "store/append": 60,
  "store/appended": 60,
  "step/ended": 6,
  "manifest/locked": 6,
  "step/booked": 6,
  "document/kept": 2,
  "document/written": 2,
  "verdict/read": 2,
};
/** Passed only by a flower that finds what another one left. */
const AFTER_A_DEATH: readonly FaultPoint[] = ["recover/adopted", "recover/imported"];

/**
 * A round for every fault point, in which each victim dies there once: the first at a pass that `random` picks, the others
 * at the first, since a start that goes on has less before it. The CLI comes last: its death is flower's to survive, so that
 * run comes to its end.
 */
export function pointPlans(random: () => number): readonly Plan[] {
  return FAULT_POINTS.map((point): Plan => {
    const pass = 1 + Math.floor(random() * (PASSES[point] ?? 1));
    const strikes: Strike[] = [
      { victim: "flower", moment: { point, pass } },
      { victim: "both", moment: { point, pass: 1 } },
      { victim: "cli", moment: { point, pass: 1 } },
    ];
    const before: Strike[] = AFTER_A_DEATH.includes(point)
      ? [{ victim: "flower", moment: midway(random) }]
      : [];
    return { flow: point === "handoff/written" ? "handoff" : "shop", strikes: [...before, ...strikes] };
  });
}

/** In the middle of a step: somebody has to be at work for others to find what they left. */
function midway(random: () => number): Moment {
  return { call: 6 + Math.floor(random() * 12), afterMs: 0 };
}

/** Two to four deaths at random moments, one for each start. */
export function randomPlan(random: () => number): Plan {
  const flow = random() < 1 / 5 ? "handoff" : "shop";
  const strikes = Array.from({ length: 2 + Math.floor(random() * 3) }, (): Strike => {
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? "flower";
    const moment = { call: Math.floor(random() * CALLS), afterMs: Math.floor(random() * AFTER_MS) };
    return { victim, moment };
  });
  return { flow, strikes };
}

export function describePlan({ flow, strikes }: Plan): string {
  const words = strikes.map(({ victim, moment }) =>
    "point" in moment
      ? `${victim} at ${moment.point}@${moment.pass}`
      : `${victim} ${moment.afterMs} ms after request ${moment.call}`,
  );
  return `${flow}: ${words.join(", then ") || "nobody"}`;
}
