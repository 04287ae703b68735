import { type Clock, sleepUntil } from "../base/clock.ts";

/** Tells when something that was expected did not come. */
export interface SilenceWatch {
  /** From now on something is expected within `ms`. */
  readonly expect: (ms: number) => void;
  /** Nothing is expected for the moment. */
  readonly rest: () => void;
  readonly stop: () => void;
}

/**
 * Calls `onSilence` once when what was expected did not come in time.
 *
 * Contract: `expect` and `rest` are called for every chunk of a stream, so that they only note a time; the one
 * timer is set again when it ends.
 */
export function watchSilence(clock: Clock, onSilence: () => void): SilenceWatch {
  let dueMs = Number.POSITIVE_INFINITY;
  let wakesMs = Number.POSITIVE_INFINITY;
  let nap = new AbortController();
  let stopped = false;
  const sleep = (): void => {
    nap.abort();
    nap = new AbortController();
    wakesMs = dueMs;
    if (dueMs !== Number.POSITIVE_INFINITY) sleepUntil(clock, dueMs, nap.signal).then(wake, () => undefined);
  };
  const wake = (): void => {
    if (stopped) return;
    if (clock.now() < dueMs) {
      sleep();
    } else {
      stopped = true;
      onSilence();
    }
  };
  return {
    expect: (ms) => {
      dueMs = clock.now() + ms;
      if (!stopped && dueMs < wakesMs) sleep();
    },
    rest: () => {
      dueMs = Number.POSITIVE_INFINITY;
    },
    stop: () => {
      stopped = true;
      nap.abort();
    },
  };
}
