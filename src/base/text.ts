import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The first `max` code points of `text`: a cut never leaves half a surrogate pair. */
export function firstCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let taken = 0;
  let end = 0;
  for (const point of text) {
    if (taken === max) break;
    taken += 1;
    end += point.length;
  }
  return text.slice(0, end);
}

/** Columns that `text` takes in a terminal: CJK and emoji count two, combining marks none. */
export function columns(text: string): number {
  return stringWidth(text);
}

/** `text` cut to at most `width` columns, by grapheme, with `…` in the last column when something was cut. */
export function truncateColumns(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let out = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const w = columns(segment);
    if (used + w > width - 1) break;
    out += segment;
    used += w;
  }
  return `${out}…`;
}

/**
 * `text` as it may be shown: escape sequences and control characters that a model or a tool printed are gone,
 * tabs are spaces, newlines stay. What we print ourselves is coloured after this, never before.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "  ")
    .replaceAll(
      /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      "",
    );
}

/** `plainText` on one line: every run of white space is one space. */
export function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, " ").trim();
}

/** Texts one below the other with a blank line between; absent and empty ones leave no gap. */
export function joinParagraphs(...texts: readonly (string | undefined)[]): string {
  return texts
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
}
