import type { Lang } from "../lang/lang.ts";
import { openedFence, unwrapped, withoutFences } from "./fences.ts";
import type { Heading, HeadingMatcher } from "./heading.ts";
import { linesOf, tidyLines, tidyText } from "./tidy.ts";

/** One section as it was found. */
export interface Section<Key extends string> {
  readonly heading: Heading<Key>;
  /** Its text, without the heading, tidied; empty when it holds nothing or a placeholder. */
  readonly body: string;
  /** Fenced code was removed from it. */
  readonly fenced: boolean;
}

/** What a text holds of a document. */
export interface Scan<Key extends string> {
  /** What stands before the first heading, tidied. */
  readonly preamble: string;
  /** In the order of the text; a key may occur more than once. */
  readonly sections: readonly Section<Key>[];
  /** The language most of the headings are in; undefined when there is none. */
  readonly lang: Lang | undefined;
  /** A fence that nothing closes has taken what follows it. */
  readonly cutOff: boolean;
  /** Fenced code was removed from the preamble. */
  readonly preambleFenced: boolean;
}

/**
 * Reads the sections of a document out of what a model or a human wrote. Fenced code is removed first, and an
 * unclosed fence takes all that follows; only a Markdown fence around the whole text is taken off instead.
 *
 * Contract: never throws, whatever the text; time grows linearly with it.
 */
export function scanSections<Key extends string>(text: string, match: HeadingMatcher<Key>): Scan<Key> {
  const opened: { heading: Heading<Key>; lines: string[]; fenced: boolean }[] = [];
  const preamble: { readonly lines: string[]; fenced: boolean } = { lines: [], fenced: false };
  const filled = new Set<string>();
  const { lines: unfenced, gaps, open } = withoutFences(unwrapped(linesOf(text)));
  for (const [at, line] of unfenced.entries()) {
    const current = opened.at(-1);
    if (gaps.has(at)) (current ?? preamble).fenced = true;
    // Empty lines are the bulk of a hostile text, and matching is what costs.
    const heading = line === "" ? undefined : match(line);
    if (heading === undefined || isContent(heading, current?.heading, filled)) {
      (current ?? preamble).lines.push(unescapeLine(line, match));
      if (current !== undefined && line.trim() !== "") filled.add(current.heading.key);
    } else {
      opened.push({ heading, lines: [heading.text], fenced: false });
      if (heading.text !== "") filled.add(heading.key);
    }
  }
  if (gaps.has(unfenced.length)) (opened.at(-1) ?? preamble).fenced = true;
  return {
    preamble: tidyLines(preamble.lines.join("\n")),
    sections: opened.map(({ heading, lines, fenced }) => ({
      heading,
      body: tidyText(lines.join("\n")),
      fenced,
    })),
    lang: languageOf(opened.map(({ heading }) => heading)),
    cutOff: open !== undefined,
    preambleFenced: preamble.fenced,
  };
}

/**
 * Whether a line that could be a heading is content after all: an item of a list that names a section we already
 * have (`2. 边界: …` among the acceptance criteria), or a line inside a section under another of its names
 * (`Scope: …` below `## Boundaries`). What is marked as a heading always is one.
 */
function isContent(
  heading: Heading<string>,
  current: Heading<string> | undefined,
  filled: ReadonlySet<string>,
): boolean {
  if (heading.form === "marked" || current === undefined) return false;
  if (heading.key === current.key && heading.name !== current.name) return true;
  return heading.form === "item" && heading.text !== "" && filled.has(heading.key);
}

function languageOf(headings: readonly Heading<string>[]): Lang | undefined {
  const langs = headings.flatMap(({ lang }) => (lang === undefined ? [] : [lang]));
  const chinese = langs.filter((lang) => lang === "zh").length;
  const english = langs.length - chinese;
  if (chinese === english) return langs[0];
  return chinese > english ? "zh" : "en";
}

/** The content of a section: of those with this key, the first that has any. */
export function bodyOf<Key extends string>(scan: Scan<Key>, key: Key): string {
  return scan.sections.find((section) => section.heading.key === key && section.body !== "")?.body ?? "";
}

/** Whether a line, written as it is, would be read as structure instead of content. */
function isStructure<Key extends string>(line: string, match: HeadingMatcher<Key>): boolean {
  return openedFence(line) !== undefined || match(line) !== undefined;
}

const ESCAPED = /^(\s*)(\\+)/;

/**
 * Content as it is written to a file: a line that would open a section or a fence gets a backslash in front, as
 * Markdown itself does it, and so does one that already looks as if it had got one.
 *
 * Contract: for every tidied text, reading the section gives that text again.
 */
export function escapeContent<Key extends string>(text: string, match: HeadingMatcher<Key>): string {
  return linesOf(text)
    .map((line) => (isStructure(line.replace(ESCAPED, "$1"), match) ? line.replace(/^\s*/, "$&\\") : line))
    .join("\n");
}

function unescapeLine<Key extends string>(line: string, match: HeadingMatcher<Key>): string {
  const escaped = ESCAPED.exec(line);
  if (escaped === null || !isStructure(line.replace(ESCAPED, "$1"), match)) return line;
  const [, indent = ""] = escaped;
  return indent + line.slice(indent.length + 1);
}
