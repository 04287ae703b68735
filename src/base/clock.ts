import { setTimeout as delay } from "node:timers/promises";

/** Time as the rest of the code sees it, so that a test owns its own. Milliseconds everywhere. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. Leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await delay(Math.max(0, ms), undefined, signal === undefined ? undefined : { signal });
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown;
    }
  },
};

/** One timer sleeps at most this long: a machine that was suspended notices soon, and no timer overflows. */
const NAP_MS = 60_000;

/** Sleeps until the clock shows `untilMs`, which may be Infinity. Rejects with the signal's reason. */
export async function sleepUntil(clock: Clock, untilMs: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const leftMs = untilMs - clock.now();
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(leftMs, NAP_MS), signal);
  }
}
