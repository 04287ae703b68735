import type { Words } from "../agent/talk.ts";

/** Unasked words of a human, as far as a running step has to do with them; `HumanChannel` is one. */
export interface MailSource {
  /** Takes what waits, so that nobody else delivers it; the claim must be ended. */
  claimMail(): MailInHand;
  /** Calls `listener` whenever new mail waits; the returned function ends that. */
  onMail(listener: () => void): () => void;
  /** Takes words that were said into a step that ended without hearing them. */
  send(words: string): unknown;
}

export interface MailInHand {
  /** Oldest first; may be empty. */
  readonly mail: readonly { readonly text: string }[];
  /** A model has it. */
  confirm(): void;
  /** It did not get there: it waits again. */
  giveBack(): void;
}

/**
 * Says mail into a query while it runs: what waits already, then whatever comes. The returned function ends it and
 * gives back what was said and never taken.
 *
 * Contract: mail is in one pair of hands at a time, so it is delivered once, whoever else looks into the inbox.
 */
export function deliverMail(source: MailSource, say: (words: Words) => boolean): () => void {
  const onTheirWay = new Set<MailInHand>();
  const deliver = (): void => {
    const claim = source.claimMail();
    if (claim.mail.length === 0) {
      claim.giveBack();
      return;
    }
    onTheirWay.add(claim);
    const isSaid = say({
      text: claim.mail.map(({ text }) => text).join("\n\n"),
      onTaken: () => {
        onTheirWay.delete(claim);
        claim.confirm();
      },
    });
    if (isSaid) return;
    onTheirWay.delete(claim);
    claim.giveBack();
  };
  const stop = source.onMail(deliver);
  deliver();
  return () => {
    stop();
    for (const claim of onTheirWay) claim.giveBack();
    onTheirWay.clear();
  };
}
