import type { Clock } from "../../src/base/clock.ts";

/**
 * The machine's clock, which a test may put forward: whatever sleeps on it wakes when its time has come. So the waits
 * that are flower's own take no time, while everything that happens outside (the CLI, sockets) takes what it takes.
 */
export interface SkippingClock extends Clock {
  skip(ms: number): void;
  /** Skips a wait of this length as soon as it begins, which may be after a look at the network. */
  skipNext(ms: number): void;
}

export function skippingClock(startMs = Date.now()): SkippingClock {
  let aheadMs = startMs - Date.now();
  const sleeps = new Set<() => void>();
  let awaitedMs: number | undefined;
  const now = (): number => Date.now() + aheadMs;
  const skip = (ms: number): void => {
    aheadMs += ms;
    for (const look of Array.from(sleeps)) look();
  };
  return {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const dueMs = now() + ms;
        let timer: NodeJS.Timeout | undefined;
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          sleeps.delete(look);
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const onAbort = (): void => end(() => reject(signal?.reason));
        const look = (): void => {
          clearTimeout(timer);
          const leftMs = dueMs - now();
          if (leftMs <= 0) end(resolve);
          else timer = setTimeout(look, Math.min(leftMs, 2 ** 30));
        };
        sleeps.add(look);
        signal?.addEventListener("abort", onAbort, { once: true });
        look();
        // A long wait is slept in parts, so it need not be as long; what sleeps longer waits for something else.
        if (awaitedMs === undefined || ms > awaitedMs) return;
        const aheadNow = awaitedMs;
        awaitedMs = undefined;
        skip(aheadNow);
      }),
    skip,
    skipNext: (ms) => {
      awaitedMs = ms;
    },
  };
}
