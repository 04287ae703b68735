import { stamp } from "../base/ids.ts";
import { oneLine } from "../base/text.ts";
import { NAMES } from "../lang/names.ts";
import { closingLine, withoutFences } from "./fences.ts";
import { type Heading, headingMatcher } from "./heading.ts";
import type { Section } from "./sections.ts";
import { linesOf, tidyLines, wellFormed } from "./tidy.ts";

/** What a human added to a frozen brief later on. */
export interface Amendment {
  /** On what occasion: `added during the run`, `added on wake`, … One line. */
  readonly label: string;
  /** The human's own words. */
  readonly text: string;
  /** Local date and time, `2025-01-31 14:03`; absent when it was not written down. */
  readonly when?: string | undefined;
}

const WHEN = String.raw`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?`;
const WHOLE_WHEN = new RegExp(`^${WHEN}$`);
/** The heading as we write it: any label, ` · `, the time, or a dash where it is not known. */
const WRITTEN = new RegExp(String.raw`^ {0,3}#{1,6}[ \t]+(\S.*) · (${WHEN}|—)[ \t]*$`);
const LEADING_WHEN = new RegExp(String.raw`^[(（[]?(${WHEN})[)）\]]?[:：]?[ \t]*`);

/** The four labels of flower itself, also without a time, as in files of the original or written by hand. */
const matchLabel = headingMatcher([
  [
    "amendment",
    {
      zh: [NAMES.zh.addedDuringRun, NAMES.zh.addedOnWake],
      en: [NAMES.en.addedDuringRun, NAMES.en.addedOnWake],
    },
  ],
]);

/** The heading of an amendment, if `line` is one. Prose that begins with a label (`运行中补充: …`) is not. */
export function amendmentHeading(line: string): Heading<"amendment"> | undefined {
  const [, label, when] = WRITTEN.exec(line) ?? [];
  if (label !== undefined && when !== undefined) {
    return { key: "amendment", name: label.trim(), form: "marked", text: when === "—" ? "" : when };
  }
  const heading = matchLabel(line);
  return heading?.form === "marked" ? heading : undefined;
}

/** The amendment in a section that `amendmentHeading` opened. */
export function readAmendment(section: Section<string>): Amendment {
  const { name: label, text: title } = section.heading;
  const [matched = "", when] = LEADING_WHEN.exec(title) ?? [];
  const below = section.body.startsWith(title) ? section.body.slice(title.length) : section.body;
  const text = tidyLines(
    title.slice(matched.length) + unquote(tidyLines(below), title.length > matched.length),
  );
  return when === undefined ? { label, text } : { label, text, when };
}

/** Takes one level of quotation off, if all of `text` is quoted. */
function unquote(text: string, follows: boolean): string {
  const lines = linesOf(text);
  const quoted = text !== "" && lines.every((line) => line === "" || /^ {0,3}>/.test(line));
  const words = quoted ? lines.map((line) => line.replace(/^ {0,3}> ?/, "")).join("\n") : text;
  return follows && words !== "" ? `\n${words}` : words;
}

/** Amendments tidied; those without words are gone. */
export function tidyAmendments(amendments: readonly Amendment[]): readonly Amendment[] {
  return amendments.flatMap(({ label, text, when }) => {
    const words = tidyLines(text);
    if (words === "") return [];
    const tidied = { label: oneLine(wellFormed(label)) || NAMES.en.addedDuringRun, text: words };
    return [when !== undefined && WHOLE_WHEN.test(when) ? { ...tidied, when } : tidied];
  });
}

/**
 * One amendment as Markdown. Its words are a quotation: whatever headings or fences the human typed, no line of
 * it opens a section or a fence of the brief.
 */
export function renderAmendment(amendment: Amendment): string {
  const quotation = linesOf(amendment.text).map((line) => (line === "" ? ">" : `> ${line}`));
  return `## ${amendment.label} · ${amendment.when ?? "—"}\n\n${quotation.join("\n")}`;
}

/**
 * The text to append to a brief's file for what a human adds at `at` (epoch milliseconds; written in local time).
 * Empty when there are no words. `existing` is the file's text so far: a fence that was left open in it, by hand,
 * is closed first, or the words would be thrown away with the code.
 */
export function formatAmendment(amendment: {
  readonly label: string;
  readonly text: string;
  readonly at: number;
  readonly existing?: string | undefined;
}): string {
  const [tidied] = tidyAmendments([{ ...amendment, when: localMinute(amendment.at) }]);
  if (tidied === undefined) return "";
  const { open } = withoutFences(linesOf(amendment.existing ?? ""));
  const closing = open === undefined ? "" : `\n${closingLine(open)}\n`;
  return `${closing}\n${renderAmendment(tidied)}\n`;
}

/** `2025-01-31 14:03` in local time. */
function localMinute(epochMs: number): string {
  const [date = "", time = ""] = stamp(epochMs).split("-");
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)} ${time.slice(0, 2)}:${time.slice(2, 4)}`;
}
