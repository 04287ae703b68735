import type { Clock } from "../../src/base/clock.ts";

/** A clock that moves only when the test says so; sleeps that become due end. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Sleeps that are not over. */
  readonly sleeping: number;
}

export function manualClock(startMs = 1_000_000): ManualClock {
  let now = startMs;
  const sleeps = new Set<{ readonly atMs: number; readonly end: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = (): void => {
          sleeps.delete(sleep);
          reject(signal?.reason);
        };
        const end = (): void => {
          sleeps.delete(sleep);
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleep = { atMs: now + ms, end };
        sleeps.add(sleep);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: (ms) => {
      now += ms;
      for (const sleep of Array.from(sleeps)) if (sleep.atMs <= now) sleep.end();
    },
    get sleeping() {
      return sleeps.size;
    },
  };
}
