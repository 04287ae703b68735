import type { Clock } from "../base/clock.ts";
import { type Ask, type AskEnding, createAsk, endAsk, pickOption } from "./ask.ts";
import { createAskQueue } from "./ask-queue.ts";
import { sleepLong } from "./sleep-long.ts";

export interface QuestionDeskOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Questions that may reach the human; null is unlimited. */
  readonly maxAsks: number | null;
  /** Null is for ever, 0 or less not at all. */
  readonly timeoutMs: number | null;
  /** Told of every new state, in order. Must not throw. May answer the question. */
  readonly onChange: (ask: Ask) => void;
}

/** The methods of `HumanChannel` that concern questions; see there. */
export interface QuestionDesk {
  ask(question: string, options: readonly string[], signal?: AbortSignal): Promise<Ask>;
  answer(id: string, text: string): boolean;
  decline(id: string): boolean;
  remaining(): number;
  /** Every question so far as it stands now, oldest first. */
  all(): readonly Ask[];
  /** Those a human may still answer. */
  open(): readonly Ask[];
  next(signal?: AbortSignal): Promise<Ask | undefined>;
  close(): void;
}

interface OpenQuestion {
  readonly ask: Ask;
  readonly end: (state: AskEnding, answer: string | null) => void;
}

/**
 * Keeps questions from being asked to their one ending: an answer, a refusal, the clock, the asker going away, or
 * the desk closing, whichever is first. Every question passes `onChange` at least twice; no timer outlives one.
 */
export function createQuestionDesk(options: QuestionDeskOptions): QuestionDesk {
  const { clock, timeoutMs, maxAsks, newId, onChange } = options;
  const asks = new Map<string, Ask>();
  const open = new Map<string, OpenQuestion>();
  const queue = createAskQueue();
  let used = 0;
  let closed = false;

  const record = (ask: Ask): Ask => {
    asks.set(ask.id, ask);
    onChange(ask);
    return ask;
  };

  const remaining = (): number => (maxAsks === null ? -1 : Math.max(0, maxAsks - used));

  /** Counts a question that may reach the human; otherwise says how it ends without reaching anybody. */
  const admit = (ask: Ask): AskEnding | undefined => {
    if (ask.question === "") return "invalid";
    if (remaining() === 0) return "over_budget";
    used += 1;
    return closed || (timeoutMs !== null && timeoutMs <= 0) ? "timeout" : undefined;
  };

  const wait = (ask: Ask, signal?: AbortSignal): Promise<Ask> =>
    new Promise((resolve, reject) => {
      const timer = new AbortController();
      const end: OpenQuestion["end"] = (state, answer) => {
        if (!open.delete(ask.id)) return;
        timer.abort();
        signal?.removeEventListener("abort", onAbort);
        queue.withdraw(ask.id);
        resolve(record(endAsk(ask, { state, answer, now: clock.now() })));
      };
      const onAbort = (): void => {
        used -= 1;
        reject(signal?.reason);
        end("timeout", null);
      };
      open.set(ask.id, { ask, end });
      signal?.addEventListener("abort", onAbort, { once: true });
      if (timeoutMs !== null) {
        const elapsed = sleepLong(clock, timeoutMs, timer.signal);
        void elapsed.then(() => end("timeout", null)).catch(() => undefined);
      }
      // A front end may answer from inside its event handler, so everything must be ready before it is told.
      record(ask);
      if (open.has(ask.id)) queue.offer(ask);
    });

  return {
    ask: async (question, choices, signal) => {
      signal?.throwIfAborted();
      const ask = createAsk({
        id: newId(),
        question: question.trim(),
        options: [...new Set(choices.map((choice) => choice.trim()).filter((choice) => choice !== ""))],
        askedAt: clock.now(),
        state: "asked",
        answer: null,
        waitedS: 0,
      });
      const ending = admit(ask);
      if (ending === undefined) return wait(ask, signal);
      return record(endAsk(record(ask), { state: ending, answer: null, now: clock.now() }));
    },
    answer: (id, text) => {
      const question = open.get(id);
      if (question === undefined) return false;
      const said = pickOption(text, question.ask.options);
      if (said === "") question.end("declined", null);
      else question.end("answered", said);
      return true;
    },
    decline: (id) => {
      const question = open.get(id);
      question?.end("declined", null);
      return question !== undefined;
    },
    remaining,
    all: () => [...asks.values()],
    open: () => [...open.values()].map(({ ask }) => ask),
    next: (signal) => queue.next(signal),
    close: () => {
      closed = true;
      for (const question of open.values()) question.end("timeout", null);
      queue.close();
    },
  };
}
