import { createEvent, type EventOf } from "../events/event.ts";

/** What a human said without being asked. A value, like `Ask`. */
export interface Mail {
  readonly id: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** `delivered`: a model has it. Never twice. */
  readonly state: "queued" | "delivered";
  /** Seconds until it was delivered; 0 while it is queued. */
  readonly waitedS: number;
  event(): EventOf<"ask">;
}

/** Makes the value. JSON of it holds only data. */
export function createMail(data: Omit<Mail, "event">): Mail {
  const event = (): EventOf<"ask"> =>
    createEvent(
      "ask",
      { kind: "mail", id: data.id, state: data.state, options: [], answer: null, waited_s: data.waitedS },
      { text: data.text },
    );
  return Object.freeze({ ...data, event });
}

/**
 * Mail that somebody has taken in order to hand it to a model, and that nobody else can take meanwhile. End it
 * with one of the two; whatever comes after the first is without effect.
 */
export interface MailClaim {
  /** Oldest first; may be empty. */
  readonly mail: readonly Mail[];
  /** The model has it: it becomes `delivered`. */
  confirm(): void;
  /** It did not get there: it waits for the next one who takes it, in its old place. */
  giveBack(): void;
}
