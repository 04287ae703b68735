import { firstCodePoints, oneLine } from "../base/text.ts";

/** Longest description in the index, in characters (code points); SPEC 10. */
export const DESCRIPTION_CHARS = 100;

/** A `desc:` line counts only this far up (SPEC 10): further down it is code that happens to contain the word. */
const DESC_LINES = 8;

/** `# text`, `// text`, `-- text`, `* text`, `<!-- text`, `; text`, `% text`. `#include` and `--flag` are no comments. */
const COMMENT = /^\s*(?:#+|\/\/+!?|--+|\/\*+!?|\*+|<!--|;+|%+)(?:\s+(.*))?$/;

const DESC = /^desc\s*[:：]\s*(.*)$/i;

/** Comments that speak to a tool, not to a reader. */
const PRAGMA =
  /^(?:-\*-|coding[:=]|vim?:|ex:|shellcheck\b|eslint\b|biome-ignore\b|prettier-ignore\b|@ts-|@flow\b|noqa\b|type:|pylint:|region\b|SPDX-|copyright\b|\(c\)|<reference\b)/i;

const DOCSTRING = /^\s*[rRuUbBfF]{0,2}("""|''')(.*)$/;

/**
 * What a file says about itself, from the beginning of its text: the `desc:` comment within the first eight
 * lines, else the first comment line, else the first line of the docstring. Empty when it says nothing.
 *
 * Contract: never throws; one line without control characters, at most `DESCRIPTION_CHARS` code points.
 */
export function describe(head: string): string {
  const lines = head.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  return tidy(descLine(lines) ?? firstRemark(lines) ?? "");
}

function descLine(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(0, DESC_LINES)) {
    const said = DESC.exec(commentText(line) ?? "")?.[1];
    if (said !== undefined && said.trim() !== "") return said;
  }
  return undefined;
}

function firstRemark(lines: readonly string[]): string | undefined {
  for (const [index, line] of lines.entries()) {
    const docstring = DOCSTRING.exec(line);
    if (docstring !== null) return docstringText(docstring, lines.slice(index + 1));
    const comment = commentText(line);
    if (comment !== undefined && isRemark(comment)) return comment;
  }
  return undefined;
}

/** Rulers, words for a tool, and a `desc:` with nothing after it tell a reader nothing. */
function isRemark(comment: string): boolean {
  return /[\p{L}\p{N}]/u.test(comment) && !PRAGMA.test(comment) && DESC.exec(comment)?.[1]?.trim() !== "";
}

function docstringText(opening: RegExpExecArray, following: readonly string[]): string | undefined {
  const [, quote = "", first = ""] = opening;
  for (const line of [first, ...following]) {
    const end = line.indexOf(quote);
    const text = end === -1 ? line : line.slice(0, end);
    if (text.trim() !== "") return text;
    if (end !== -1) return undefined;
  }
  return undefined;
}

/** The words of a comment line without its marks, or undefined for any other line. */
function commentText(line: string): string | undefined {
  if (line.startsWith("#!")) return undefined;
  const comment = COMMENT.exec(line);
  if (comment === null) return undefined;
  return (comment[1] ?? "").replace(/\s*(?:\*+\/|-->)\s*$/, "").trim();
}

function tidy(text: string): string {
  return firstCodePoints(oneLine(text), DESCRIPTION_CHARS).trim();
}
