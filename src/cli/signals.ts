/** Exit codes of the command (SPEC 17): done, stopped on purpose, bad usage, interrupted. */
export const EXIT = { done: 0, stopped: 1, usage: 2, interrupted: 130 } as const;

/** 128 + the signal's number, as shells report it. */
const SIGNAL_EXIT = { SIGHUP: 129, SIGTERM: 143 } as const;

export interface SignalHandlers {
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** The terminal went away, or somebody ends us: the exit code that tells so. */
  readonly onEnd: (exitCode: number) => void;
}

/** Listens to signals until the returned function is called. */
export function listenToSignals(handlers: SignalHandlers): () => void {
  const onHangup = (): void => handlers.onEnd(SIGNAL_EXIT.SIGHUP);
  const onTerminate = (): void => handlers.onEnd(SIGNAL_EXIT.SIGTERM);
  process.on("SIGINT", handlers.onInterrupt);
  process.on("SIGHUP", onHangup);
  process.on("SIGTERM", onTerminate);
  return () => {
    process.off("SIGINT", handlers.onInterrupt);
    process.off("SIGHUP", onHangup);
    process.off("SIGTERM", onTerminate);
  };
}
