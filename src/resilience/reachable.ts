import { connect } from "node:net";

export interface ProbeOptions {
  /** Milliseconds for name and connection together. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Says whether a host can be reached. Rejects only when its signal aborts. */
export type Probe = (host: string, port: number, options?: ProbeOptions) => Promise<boolean>;

/**
 * Whether the name resolves and a TCP connection opens: no HTTP, no credential, no cost, so that asking every
 * fifteen seconds through a night without a network does no harm.
 *
 * Contract: every failure is `false`, whatever its reason; only the signal rejects. The socket and the timer are
 * gone when the promise settles.
 */
export const reachable: Probe = (host, port, { timeoutMs = 5_000, signal } = {}) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const socket = connect({ host, port });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      socket.destroy();
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => resolve(false)), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.once("connect", () => end(() => resolve(true)));
    // Stays for the socket's whole life: an error after destroy() would otherwise be thrown at the process.
    socket.on("error", () => end(() => resolve(false)));
  });
