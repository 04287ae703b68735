import { type Clock, systemClock } from "../base/clock.ts";

/**
 * Exit codes of the command (SPEC 17): done, stopped on purpose, bad usage; and 128 + the signal's number, as shells
 * report it, for a terminal that went away (SIGHUP), Ctrl-C (SIGINT) and somebody who ends us (SIGTERM).
 */
export const EXIT = {
  done: 0,
  stopped: 1,
  usage: 2,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * A terminal signals everybody in front of it, and npm passes on to its child what that has got already: the same
 * signal again within this time is the same one. Below what a hand needs to press Ctrl-C twice on purpose.
 */
const ECHO_MS = 200;

export interface SignalHandlers {
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** The terminal went away, or somebody ends us: the exit code that tells so. */
  readonly onEnd: (exitCode: number) => void;
}

/** Listens to signals until the returned function is called. */
export function listenToSignals(handlers: SignalHandlers, clock: Clock = systemClock): () => void {
  const listeners = [
    ["SIGINT", withoutEcho(handlers.onInterrupt, clock)],
    ["SIGHUP", withoutEcho(() => handlers.onEnd(EXIT.hungUp), clock)],
    ["SIGTERM", withoutEcho(() => handlers.onEnd(EXIT.terminated), clock)],
  ] as const;
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

function withoutEcho(handle: () => void, clock: Clock): () => void {
  let heardAt = Number.NEGATIVE_INFINITY;
  return () => {
    const sinceMs = clock.now() - heardAt;
    // Below zero the clock was set back, which must not make anybody deaf until it has caught up.
    if (sinceMs >= 0 && sinceMs < ECHO_MS) return;
    heardAt = clock.now();
    handle();
  };
}
