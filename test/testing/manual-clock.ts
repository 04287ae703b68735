import type { Clock } from "../../src/base/clock.ts";

/** A clock that stands still: sleeps end when the test says so. */
export interface ManualClock extends Clock {
  /** The sleeps not yet over, in milliseconds as asked for. */
  readonly sleeping: readonly number[];
  /** Resolves when somebody sleeps. */
  untilSleeping(): Promise<void>;
  /** Ends the sleep that began first. */
  wake(): void;
}

export function manualClock(nowMs = 0): ManualClock {
  const sleeps: { ms: number; end: () => void }[] = [];
  let noticed = (): void => undefined;
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleep = { ms, end: resolve };
        sleeps.push(sleep);
        signal?.addEventListener("abort", () => {
          sleeps.splice(sleeps.indexOf(sleep), 1);
          reject(signal.reason);
        });
        noticed();
      }),
    get sleeping() {
      return sleeps.map((sleep) => sleep.ms);
    },
    untilSleeping: async () => {
      if (sleeps.length > 0) return;
      await new Promise<void>((resolve) => {
        noticed = resolve;
      });
    },
    wake: () => sleeps.shift()?.end(),
  };
}
