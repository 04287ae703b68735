import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StoreMessages } from "../lang/messages/store.ts";
import { isArchivedText } from "./archived-text.ts";
import { codePoints } from "./code-points.ts";
import type { ResolvedTrimPolicy } from "./policies.ts";
import { mayBeReplaced, recentResultIds } from "./recent.ts";
import { rewriteCopy } from "./tool-use-result.ts";
import { answeredId, mapBlocks, resultText, withResultText } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

export interface TrimOptions {
  readonly policy: ResolvedTrimPolicy;
  /** Where the spills will lie; absolute, so that the model's Read finds them from any working directory. */
  readonly directory: string;
  readonly say: StoreMessages;
}

/** A text that must be on disk before the entries that point at it are handed on. */
export interface Spill {
  /** First 16 hex digits of the text's SHA-256, `.txt`: the same text is the same file. */
  readonly name: string;
  readonly text: string;
}

export interface TrimReport {
  /** Results whose text was replaced by a pointer. */
  readonly trimmed: number;
  /** Characters that are no longer fed back, pointers subtracted. */
  readonly savedChars: number;
}

/**
 * Replaces old, large tool results by one line that says where the full text lies.
 *
 * Contract: pure, the caller writes `spills`; never mutates; blocks stay, only their text changes; images and
 * documents stay; doing it twice changes nothing. Characters are code points.
 */
export function trim(
  entries: readonly SessionStoreEntry[],
  { policy, directory, say }: TrimOptions,
): {
  readonly entries: readonly SessionStoreEntry[];
  readonly spills: readonly Spill[];
  readonly report: TrimReport;
} {
  const recent = recentResultIds(entries, policy.keepRecent);
  const spills = new Map<string, Spill>();
  let trimmed = 0;
  let savedChars = 0;
  const next = entries.map((entry) => {
    if (!mayBeReplaced(entry)) return entry;
    let pointer: string | undefined;
    const rewritten = mapBlocks(entry, (block) => {
      const id = answeredId(block);
      if (id === undefined || recent.has(id)) return block;
      const text = resultText(block);
      const chars = codePoints(text);
      if (chars < policy.minChars || chars === 0 || isArchivedText(text)) return block;
      const name = spillName(text);
      pointer = say.archived(chars, join(directory, name));
      spills.set(name, { name, text });
      trimmed += 1;
      savedChars += Math.max(0, chars - codePoints(pointer));
      return withResultText(block, pointer);
    });
    return pointer === undefined ? rewritten : trimCopy(rewritten, { pointer, minChars: policy.minChars });
  });
  return {
    entries: trimmed === 0 ? entries : next,
    spills: [...spills.values()],
    report: { trimmed, savedChars },
  };
}

function spillName(text: string): string {
  return `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.txt`;
}

function trimCopy(
  entry: SessionStoreEntry,
  { pointer, minChars }: { readonly pointer: string; readonly minChars: number },
): SessionStoreEntry {
  return rewriteCopy(entry, (text) => (codePoints(text) < minChars || isArchivedText(text) ? text : pointer));
}
