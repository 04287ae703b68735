import { readTextIfExists, writeTextAtomic } from "../base/files.ts";
import { firstCodePoints, oneLine } from "../base/text.ts";
import { DEGRADED_MARK, EMPTY, HANDOFF_HEADINGS } from "../lang/headings.ts";
import { LANGS, type Lang } from "../lang/lang.ts";
import { documentMessages } from "../lang/messages/documents.ts";
import { defineFormat, joinParagraphs, renderSections, sectionNames } from "./format.ts";
import { bodyOf, scanSections } from "./sections.ts";
import { linesOf, tidyText, wellFormed } from "./tidy.ts";

export type HandoffSection = keyof typeof HANDOFF_HEADINGS;

const FORMAT = defineFormat<HandoffSection>(
  [
    ["doing", HANDOFF_HEADINGS.doing],
    ["decided", HANDOFF_HEADINGS.decided],
    ["deadends", HANDOFF_HEADINGS.deadends],
    ["next", HANDOFF_HEADINGS.next],
    ["scene", HANDOFF_HEADINGS.scene],
  ],
  { empty: EMPTY },
);

/** Insisting on dead ends, say, would make a model invent some. */
const REQUIRED: ReadonlySet<HandoffSection> = new Set(["doing", "next"]);

const DEGRADED =
  /^[*_]{0,3}[[【［(（]\s*(?:降级\s*[:：]\s*交接没写成|degraded\s*[:：]\s*handoff not written)\s*[\]】］)）]/i;

/** How much of the task a degraded document repeats, in characters (SPEC 8). */
const DEGRADED_TASK_CHARS = 1_200;

/** What a handoff document is made of; every field may be left out. */
export interface HandoffFields {
  readonly doing?: string | undefined;
  readonly decided?: string | undefined;
  readonly deadends?: string | undefined;
  readonly next?: string | undefined;
  readonly scene?: string | undefined;
  /** Name of the step that is handed over; one line. Stands in the title. */
  readonly step?: string | undefined;
  /** Where it was read from or is to be known as; not part of its text. */
  readonly path?: string | undefined;
  /** Language in which it is written. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * The document with which a fresh session takes over from a full one. People can read and edit it.
 *
 * Contract: immutable; `Handoff.parse(handoff.toMarkdown())` has the same values, for all texts (which are tidied
 * when the document is made).
 */
export class Handoff {
  readonly doing: string;
  readonly decided: string;
  readonly deadends: string;
  readonly next: string;
  readonly scene: string;
  readonly step: string;
  readonly path: string | undefined;
  readonly lang: Lang;
  readonly #fields: HandoffFields;

  constructor(fields: HandoffFields = {}) {
    this.#fields = fields;
    this.doing = tidyText(fields.doing ?? "");
    this.decided = tidyText(fields.decided ?? "");
    this.deadends = tidyText(fields.deadends ?? "");
    this.next = tidyText(fields.next ?? "");
    this.scene = tidyText(fields.scene ?? "");
    this.step = oneLine(wellFormed(fields.step ?? ""));
    this.path = fields.path;
    this.lang = fields.lang ?? "en";
  }

  /** Reads a handoff out of any text, in either language. Contract: never throws; what is not there is empty. */
  static parse(text: string): Handoff {
    const scan = scanSections(text, FORMAT.match);
    return new Handoff({
      doing: bodyOf(scan, "doing"),
      decided: bodyOf(scan, "decided"),
      deadends: bodyOf(scan, "deadends"),
      next: bodyOf(scan, "next"),
      scene: bodyOf(scan, "scene"),
      step: stepInTitle(scan.preamble),
      lang: scan.lang,
    });
  }

  /** The document in a file, or undefined when there is no such file. Throws `files/not-readable`. */
  static load(path: string): Handoff | undefined {
    const text = readTextIfExists(path);
    return text === undefined ? undefined : Handoff.parse(text).with({ path });
  }

  /** The same document with some fields replaced. */
  with(changes: HandoffFields): Handoff {
    return new Handoff({ ...this.#fields, ...changes });
  }

  /** It was assembled mechanically: no session wrote it. */
  get degraded(): boolean {
    return DEGRADED.test(this.doing);
  }

  /** Names of the required sections that are empty, in the document's language (or the one given). */
  missing(lang: Lang = this.lang): string[] {
    return sectionNames(FORMAT, lang, (key) => REQUIRED.has(key) && this[key] === "");
  }

  /** Names of the sections that have content. */
  present(lang: Lang = this.lang): string[] {
    return sectionNames(FORMAT, lang, (key) => this[key] !== "");
  }

  /** Whether a successor could work with it: it says what is being done and what comes next. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** For people and for the file. */
  toMarkdown(lang: Lang = this.lang): string {
    const title = documentMessages[lang].handoffTitle;
    return `${joinParagraphs([
      this.step === "" ? `# ${title}` : `# ${title} · ${this.step}`,
      renderSections(FORMAT, this, { lang }),
    ])}\n`;
  }

  /** The prompt of the session that takes over. */
  promptBlock(lang: Lang = this.lang): string {
    const say = documentMessages[lang];
    const intro = say.handoffIntro(this.step);
    return joinParagraphs([
      this.path === undefined ? intro : `${intro}${say.atPath(this.path)}`,
      this.degraded ? say.handoffDegradedRules : say.handoffRules,
      renderSections(FORMAT, this, { lang }),
    ]);
  }

  /** Writes it atomically and returns `path`. Throws `files/not-writable`. */
  write(path: string): string {
    writeTextAtomic(path, this.toMarkdown());
    return path;
  }
}

const TITLE = /^#[ \t]+(.+?) · (.+)$/;

/** The step that a title as `toMarkdown` writes it names; "" without one. */
function stepInTitle(preamble: string): string {
  for (const line of linesOf(preamble)) {
    const [, title, step] = TITLE.exec(line) ?? [];
    if (step !== undefined && LANGS.some((lang) => documentMessages[lang].handoffTitle === title))
      return step;
  }
  return "";
}

/**
 * The document for a successor when the session could not write one (it had overflowed, or did not do as asked).
 * Made of the beginning of the task alone, and marked, so that nobody takes it for the session's own words.
 */
export function degradedHandoff(
  step: string,
  prompt: string,
  options: { readonly why?: string | undefined; readonly lang?: Lang | undefined } = {},
): Handoff {
  const lang = options.lang ?? "en";
  const say = documentMessages[lang];
  return new Handoff({
    doing: `${DEGRADED_MARK[lang]} ${say.degradedDoing(oneLine(options.why ?? ""))}`,
    next: say.degradedNext,
    scene: firstCodePoints(prompt.trim(), DEGRADED_TASK_CHARS),
    step,
    lang,
  });
}
