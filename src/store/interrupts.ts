import { rewriteCopy } from "./tool-use-result.ts";
import {
  answeredId,
  contentOf,
  isProtected,
  mapBlocks,
  resultText,
  textOf,
  withContent,
  withResultText,
} from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

export interface NeutralizeOptions {
  /** In place of the refusal in the result of the call that was cut off. */
  readonly interruptText: string;
  /** In place of the CLI's remark that the user interrupted. */
  readonly turnInterrupted: string;
}

/**
 * What the CLI (2.1.332 and before) writes as the result of a call that an interrupt cut off. It reads as a refusal
 * with an order to stop, and a model that is resumed obeys. The same sentence with "the user said:" carries words
 * of a person; that one stays.
 */
const REFUSAL =
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.[\s\S]*STOP what you are doing and wait for the user/;
const PERSONS_WORDS = /the user said:/;
const REMARK = /^\[Request interrupted by user(?: for tool use)?\]$/;

/** Whether a tool_result's text is that of an interrupt; such a call was not denied. */
export function isInterruptText(text: string): boolean {
  return REFUSAL.test(text) && !PERSONS_WORDS.test(text);
}

/**
 * Says of interrupted calls and turns that they were interrupted, and no more.
 * Contract: pure; never mutates; blocks stay; doing it twice changes nothing.
 */
export function neutralizeInterrupts(
  entries: readonly SessionStoreEntry[],
  options: NeutralizeOptions,
): { readonly entries: readonly SessionStoreEntry[]; readonly report: { readonly interrupts: number } } {
  let interrupts = 0;
  const next = entries.map((entry) => {
    if (entry.type !== "user" || isProtected(entry)) return entry;
    const rewritten = neutralize(entry, options);
    if (rewritten !== entry) interrupts += 1;
    return rewritten;
  });
  return { entries: interrupts === 0 ? entries : next, report: { interrupts } };
}

function neutralize(
  entry: SessionStoreEntry,
  { interruptText, turnInterrupted }: NeutralizeOptions,
): SessionStoreEntry {
  const content = contentOf(entry);
  if (typeof content === "string") return REMARK.test(content) ? withContent(entry, turnInterrupted) : entry;
  let cut = false;
  const rewritten = mapBlocks(entry, (block) => {
    if (REMARK.test(textOf(block) ?? "")) return { ...block, text: turnInterrupted };
    if (answeredId(block) === undefined || !isInterruptText(resultText(block))) return block;
    cut = true;
    return withResultText(block, interruptText);
  });
  if (!cut) return rewritten;
  // The copy is a string here: the refusal once more, or "User rejected tool use".
  const copied = rewriteCopy(rewritten, (text, field) => (field === undefined ? interruptText : text));
  // The CLI (2.1.332) marks calls that `interrupt()` cut off `user-rejected`, like denials; it also knows this word.
  return copied.toolDenialKind === "user-rejected" ? { ...copied, toolDenialKind: "interrupted" } : copied;
}
