/**
 * The values of a document are tidied once, when it is made, so that what is in memory, what is on disk and what
 * is read back are the same text.
 */

const PLACEHOLDER = /^[*_]{0,3}[(（][ \t]*(?:未填|空|not filled|empty)[ \t]*[)）][*_]{0,3}[.。]?$/i;

/** Lines of `text`, whichever line ending it has; a byte order mark at its start is gone. */
export function linesOf(text: string): readonly string[] {
  const marked = text.replace(/^\uFEFF/, "");
  // Splitting at a pattern takes ten times as long, which is seconds for megabytes of empty lines.
  return (marked.includes("\r") ? marked.replaceAll(/\r\n?/g, "\n") : marked).split("\n");
}

/** Half a surrogate pair, which no file could hold, becomes U+FFFD. With the `u` flag a whole pair never matches. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

/**
 * `text` with `\n` between its lines, an indent that all of them share removed, and nothing but content at both
 * ends. Contract: tidying twice changes nothing more.
 */
export function tidyLines(text: string): string {
  const lines = linesOf(wellFormed(text));
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => (line.trim() === "" ? "" : line.slice(shared)))
    .join("\n")
    .trim();
}

/** White space before the content of a line, in characters. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A section's value: tidied lines; what we write for "nothing here" (`(空)`, `(not filled)`, …) is empty. */
export function tidyText(text: string): string {
  const tidied = tidyLines(text);
  return PLACEHOLDER.test(tidied) ? "" : tidied;
}

/** Items of a list: each on one line (its lines joined by a space); those that say nothing are gone. */
export function tidyItems(items: readonly string[]): readonly string[] {
  return items.map(tidyItem).filter((item) => !saysNothing(item));
}

function tidyItem(item: string): string {
  return linesOf(wellFormed(item))
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

const DECORATION = new Set("*_~`\"'“”「」()[]（）【】.。!！,，;；:：—–- \t\u00A0\u3000");
const NOTHING = /^(?:无|没有|暂无|空|未填|none|nothing|nil|n\/a|empty|not filled)$/i;

/** `text` without Markdown marks, brackets and punctuation at both ends. */
function bareWords(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && DECORATION.has(text.charAt(start))) start += 1;
  while (end > start && DECORATION.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether a list item is a way of saying that the list is empty: `无`, `none`, `(空)`, `-`. */
export function saysNothing(item: string): boolean {
  const bare = bareWords(item);
  return bare === "" || NOTHING.test(bare);
}
