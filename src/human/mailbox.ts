import { createMail, type Mail, type MailClaim } from "./mail.ts";

export interface MailboxOptions {
  readonly now: () => number;
  /** Told of every new state, in order. Must not throw. */
  readonly onChange: (mail: Mail) => void;
  /** Told what a listener threw. Must not throw. */
  readonly onError: (thrown: unknown) => void;
}

export interface Mailbox {
  /** Everything that was ever sent, oldest first, as it stands now. */
  all(): readonly Mail[];
  /** What is queued and in nobody's hands. */
  pending(): readonly Mail[];
  put(id: string, text: string): Mail;
  claim(): MailClaim;
  /** Calls `listener` after each `put`; the returned function ends that. What it throws goes to `onError`. */
  onPut(listener: () => void): () => void;
}

/** Keeps unasked words until a model has them, once and only once, however many try to deliver them. */
export function createMailbox({ now, onChange, onError }: MailboxOptions): Mailbox {
  const byId = new Map<string, Mail>();
  const claimed = new Set<string>();
  const listeners = new Set<() => void>();

  const pending = (): Mail[] =>
    [...byId.values()].filter((mail) => mail.state === "queued" && !claimed.has(mail.id));

  const deliver = (mail: Mail): void => {
    const waitedS = Math.max(0, now() - mail.sentAt) / 1000;
    const delivered = createMail({ ...mail, state: "delivered", waitedS });
    byId.set(mail.id, delivered);
    onChange(delivered);
  };

  return {
    all: () => [...byId.values()],
    pending,
    put: (id, text) => {
      const mail = createMail({ id, text, sentAt: now(), state: "queued", waitedS: 0 });
      byId.set(id, mail);
      onChange(mail);
      for (const listener of listeners) {
        try {
          listener();
        } catch (thrown) {
          onError(thrown);
        }
      }
      return mail;
    },
    onPut: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    claim: () => {
      const taken = pending();
      for (const { id } of taken) claimed.add(id);
      let open = true;
      const release = (then: (mail: Mail) => void): void => {
        if (!open) return;
        open = false;
        for (const mail of taken) {
          claimed.delete(mail.id);
          then(mail);
        }
      };
      return {
        mail: taken,
        confirm: () => release(deliver),
        giveBack: () => release(() => undefined),
      };
    },
  };
}
