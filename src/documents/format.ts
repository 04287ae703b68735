import type { Lang, PerLang } from "../lang/lang.ts";
import { type HeadingMatcher, headingMatcher, type SectionTable } from "./heading.ts";
import { escapeContent } from "./sections.ts";

/** The fixed form of one kind of document. */
export interface Format<Key extends string> {
  readonly sections: SectionTable<Key>;
  /** Recognizes the headings of these sections. */
  readonly match: HeadingMatcher<Key>;
  /** Stands where a section has no content. */
  readonly empty: PerLang<string>;
}

/** The text of every section. */
export type Bodies<Key extends string> = Readonly<Record<Key, string>>;

export function defineFormat<Key extends string>(
  sections: SectionTable<Key>,
  options: { empty: PerLang<string>; bulleted?: boolean },
): Format<Key> {
  return { sections, empty: options.empty, match: headingMatcher(sections, options) };
}

/** Names, in one language, of the sections that `wanted` says yes to; in the order of the document. */
export function sectionNames<Key extends string>(
  format: Format<Key>,
  lang: Lang,
  wanted: (key: Key) => boolean,
): string[] {
  return format.sections.filter(([key]) => wanted(key)).map(([, names]) => names[lang][0]);
}

/**
 * The sections as Markdown. A line of their content that would read as a heading or a fence is escaped; `match`
 * must be the matcher they will be read with (default: the format's own).
 */
export function renderSections<Key extends string>(
  format: Format<Key>,
  bodies: Bodies<Key>,
  options: { lang: Lang; match?: HeadingMatcher<string> },
): string {
  const { lang, match = format.match } = options;
  return format.sections
    .map(([key, names]) => {
      const body = bodies[key] === "" ? format.empty[lang] : escapeContent(bodies[key], match);
      return `## ${names[lang][0]}\n\n${body}`;
    })
    .join("\n\n");
}

/** Paragraphs with a blank line between; empty ones leave no gap. */
export function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
