import { createEvent, type EventOf } from "../events/event.ts";

/**
 * `asked`: a human may still answer. Every other state is final: `answered`; `timeout`: nobody did in time, or
 * whoever asked went away; `declined`: the human chose not to; `over_budget`: there were no questions left;
 * `invalid`: nothing was asked.
 */
export type AskState = "asked" | "answered" | "timeout" | "declined" | "over_budget" | "invalid";

/** How a question ends. */
export type AskEnding = Exclude<AskState, "asked">;

/** A question as it stands now. A value: its later states are other values with the same id. */
export interface Ask {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly state: AskState;
  /** What the human said; null unless `answered`. */
  readonly answer: string | null;
  /** Seconds between question and ending; 0 while it is open. */
  readonly waitedS: number;
  /** The event that tells this state. */
  event(): EventOf<"ask">;
}

/** The data of an `Ask`. */
export type AskData = Omit<Ask, "event">;

/** Makes the value. JSON of it holds only data. */
export function createAsk(data: AskData): Ask {
  const event = (): EventOf<"ask"> =>
    createEvent(
      "ask",
      {
        kind: "question",
        id: data.id,
        state: data.state,
        options: data.options,
        answer: data.answer,
        waited_s: data.waitedS,
      },
      { text: data.question },
    );
  return Object.freeze({ ...data, event });
}

/** The same question in its final state. */
export function endAsk(ask: Ask, end: { state: AskEnding; answer: string | null; now: number }): Ask {
  const waitedS = Math.max(0, end.now - ask.askedAt) / 1000;
  return createAsk({ ...ask, state: end.state, answer: end.answer, waitedS });
}

/**
 * What the human meant by `text`: an option that reads exactly like it, else the option with that number (from 1;
 * `2`, `2.`, `２`), else the text itself. Options that are numbers themselves are therefore picked by what they say.
 */
export function pickOption(text: string, options: readonly string[]): string {
  const said = text.trim();
  if (options.includes(said)) return said;
  const number = /^(\d{1,3})[.)]?$/.exec(said.normalize("NFKC"))?.[1];
  return (number === undefined ? undefined : options[Number(number) - 1]) ?? said;
}
