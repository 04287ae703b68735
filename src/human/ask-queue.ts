import type { Ask } from "./ask.ts";

export interface AskQueue {
  /** Hands the question to whoever has waited longest, else keeps it. */
  offer(ask: Ask): void;
  /** Forgets a question that has ended before anybody took it. */
  withdraw(id: string): void;
  /** The next question, each handed out once; undefined when the queue is closed. Rejects when the signal aborts. */
  next(signal?: AbortSignal): Promise<Ask | undefined>;
  close(): void;
}

/** Open questions in the order they were asked, for a front end that handles one after the other. */
export function createAskQueue(): AskQueue {
  const questions = new Map<string, Ask>();
  const waiters = new Set<(ask: Ask | undefined) => void>();
  let closed = false;

  const take = (): Ask | undefined => {
    const [first] = questions.values();
    if (first !== undefined) questions.delete(first.id);
    return first;
  };

  const wait = (signal?: AbortSignal): Promise<Ask | undefined> =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        waiters.delete(waiter);
        signal?.removeEventListener("abort", onAbort);
        settle();
      };
      const waiter = (ask: Ask | undefined): void => end(() => resolve(ask));
      const onAbort = (): void => end(() => reject(signal?.reason));
      waiters.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });

  return {
    offer: (ask) => {
      const [waiter] = waiters;
      if (waiter === undefined) questions.set(ask.id, ask);
      else waiter(ask);
    },
    withdraw: (id) => void questions.delete(id),
    next: async (signal) => {
      signal?.throwIfAborted();
      const ready = take();
      return ready !== undefined || closed ? ready : wait(signal);
    },
    close: () => {
      closed = true;
      for (const waiter of waiters) waiter(undefined);
    },
  };
}
