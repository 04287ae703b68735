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
