import type { Clock } from "../base/clock.ts";

/** Calls `onElapsed` once it has been on for so long without a break. */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #onElapsed: () => void;
  #running: AbortController | undefined;

  constructor(clock: Clock, ms: number, onElapsed: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#onElapsed = onElapsed;
  }

  /** Starts it, or leaves it running, or stops it. Idempotent. */
  set(on: boolean): void {
    if (!on) {
      this.#running?.abort();
      this.#running = undefined;
      return;
    }
    if (this.#running !== undefined) return;
    const running = new AbortController();
    this.#running = running;
    this.#clock.sleep(this.#ms, running.signal).then(
      () => {
        if (!running.signal.aborted) this.#onElapsed();
      },
      () => undefined,
    );
  }
}
