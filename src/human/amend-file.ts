import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readTextIfExists, withFileLock } from "../base/files.ts";
import { formatAmendment } from "../documents/amendment.ts";

/** A human's words for a document that is frozen otherwise. */
export interface NewAmendment {
  readonly label: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Appends a human's words to a document on disk, at once and in one write, unless they stand there already: the
 * sentence that wakes a directory is often the one that woke it before. Returns whether something was written. The
 * file and its directory are created.
 *
 * Throws what `base/files` throws, and the system's error when the write fails.
 */
export function amendFile(path: string, amendment: NewAmendment): boolean {
  return withFileLock(path, () => {
    const existing = readTextIfExists(path) ?? "";
    const addition = formatAmendment({ ...amendment, existing });
    if (addition === "" || stands(existing, amendment.text)) return false;
    const separator = existing === "" || existing.endsWith("\n") ? "" : "\n";
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, existing === "" ? addition.trimStart() : separator + addition);
    return true;
  });
}

/**
 * Whether the lines of `text` stand in the document one after the other, as paragraph, list item or quotation.
 * Whole lines only: a "yes" must not be lost because some sentence has one inside.
 */
function stands(existing: string, text: string): boolean {
  const wanted = bareLines(text.trim());
  const lines = bareLines(existing);
  return lines.some((_, start) => wanted.every((line, offset) => lines[start + offset] === line));
}

function bareLines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:(?:>|[-*+]\s|\d+[.)]\s)\s*)*/, "").trimEnd());
}
