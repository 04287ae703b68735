import type { Clock } from "../../src/base/clock.ts";

/**
 * The machine's clock, which a test may put forward: whatever sleeps on it wakes when its time has come. So the waits
 * that are flower's own take no time, while everything that happens outside (the CLI, sockets) takes what it takes.
 */
export interface SkippingClock extends Clock {
  skip(ms: number): void;
}

export function skippingClock(startMs = Date.now()): SkippingClock {
  let aheadMs = startMs - Date.now();
  const sleeps = new Set<() => void>();
  const now = (): number => Date.now() + aheadMs;
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
      }),
    skip: (ms) => {
      aheadMs += ms;
      for (const look of Array.from(sleeps)) look();
    },
  };
}
