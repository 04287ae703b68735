import { readTextIfExists, writeTextAtomic } from "../base/files.ts";
import { BRIEF_HEADINGS, NOT_FILLED } from "../lang/headings.ts";
import type { Lang } from "../lang/lang.ts";
import { documentMessages } from "../lang/messages/documents.ts";
import {
  type Amendment,
  amendmentHeading,
  readAmendment,
  renderAmendment,
  tidyAmendments,
} from "./amendment.ts";
import { defineFormat, joinParagraphs, renderSections, sectionNames } from "./format.ts";
import type { Heading } from "./heading.ts";
import { bodyOf, scanSections } from "./sections.ts";
import { tidyLines, tidyText } from "./tidy.ts";

export type BriefSection = keyof typeof BRIEF_HEADINGS;

const FORMAT = defineFormat<BriefSection>(
  [
    ["goal", BRIEF_HEADINGS.goal],
    ["accept", BRIEF_HEADINGS.accept],
    ["bounds", BRIEF_HEADINGS.bounds],
    ["unknowns", BRIEF_HEADINGS.unknowns],
  ],
  { empty: NOT_FILLED },
);

function match(line: string): Heading<BriefSection | "amendment"> | undefined {
  return amendmentHeading(line) ?? FORMAT.match(line);
}

/** What a brief is made of; every field may be left out. */
export interface BriefFields {
  readonly goal?: string | undefined;
  readonly accept?: string | undefined;
  readonly bounds?: string | undefined;
  readonly unknowns?: string | undefined;
  readonly amendments?: readonly Amendment[] | undefined;
  /** Where it was read from or is to be known as; not part of its text. */
  readonly path?: string | undefined;
  /** Language in which it is written. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * The brief: what is to be built, in four sections, and what the human added after it was frozen.
 *
 * Contract: immutable; `Brief.parse(brief.toMarkdown())` has the same values, for all texts (which are tidied when
 * the brief is made: line endings, white space at both ends, half surrogate pairs).
 */
export class Brief {
  readonly goal: string;
  readonly accept: string;
  readonly bounds: string;
  readonly unknowns: string;
  /** In the order in which they were added. */
  readonly amendments: readonly Amendment[];
  readonly path: string | undefined;
  readonly lang: Lang;
  readonly #fields: BriefFields;

  constructor(fields: BriefFields = {}) {
    this.#fields = fields;
    this.goal = tidyText(fields.goal ?? "");
    this.accept = tidyText(fields.accept ?? "");
    this.bounds = tidyText(fields.bounds ?? "");
    this.unknowns = tidyText(fields.unknowns ?? "");
    this.amendments = tidyAmendments(fields.amendments ?? []);
    this.path = fields.path;
    this.lang = fields.lang ?? "en";
  }

  /** Reads a brief out of any text, in either language. Contract: never throws; what is not there is empty. */
  static parse(text: string): Brief {
    const scan = scanSections(text, match);
    return new Brief({
      goal: bodyOf(scan, "goal"),
      accept: bodyOf(scan, "accept"),
      bounds: bodyOf(scan, "bounds"),
      unknowns: bodyOf(scan, "unknowns"),
      amendments: scan.sections.filter(({ heading }) => heading.key === "amendment").map(readAmendment),
      lang: scan.lang,
    });
  }

  /** The brief in a file, or undefined when there is no such file. Throws `files/not-readable`. */
  static load(path: string): Brief | undefined {
    const text = readTextIfExists(path);
    return text === undefined ? undefined : Brief.parse(text).with({ path });
  }

  /** The same brief with some fields replaced. */
  with(changes: BriefFields): Brief {
    return new Brief({ ...this.#fields, ...changes });
  }

  /** Names of the empty sections, in the brief's language (or the one given). */
  missing(lang: Lang = this.lang): string[] {
    return sectionNames(FORMAT, lang, (key) => this[key] === "");
  }

  /** Whether all four sections have content. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** Whether the human's words `text` have been added before, on whatever occasion. */
  hasAmendment(text: string): boolean {
    const words = tidyLines(text);
    return this.amendments.some((amendment) => amendment.text === words);
  }

  /** For people and for the file. */
  toMarkdown(lang: Lang = this.lang): string {
    return `${joinParagraphs([
      `# ${documentMessages[lang].briefTitle}`,
      renderSections(FORMAT, this, { lang, match }),
      ...this.amendments.map(renderAmendment),
    ])}\n`;
  }

  /** For the model that works to it. Says that later words of the human win over earlier ones. */
  promptBlock(lang: Lang = this.lang): string {
    const say = documentMessages[lang];
    return joinParagraphs([
      this.path === undefined ? say.briefIntro : `${say.briefIntro}${say.atPath(this.path)}`,
      renderSections(FORMAT, this, { lang, match }),
      ...(this.amendments.length === 0 ? [] : [say.amendmentsNote, ...this.amendments.map(renderAmendment)]),
    ]);
  }

  /** Writes it atomically and returns `path`. Throws `files/not-writable`. */
  write(path: string): string {
    writeTextAtomic(path, this.toMarkdown());
    return path;
  }
}
