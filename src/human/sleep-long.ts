import type { Clock } from "../base/clock.ts";

/** A timer of Node set to more than this fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `clock.sleep` for any length, months included. */
export async function sleepLong(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= MAX_TIMER_MS) {
    await clock.sleep(Math.min(left, MAX_TIMER_MS), signal);
  }
}
