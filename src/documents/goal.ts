import { readTextIfExists, writeTextAtomic } from "../base/files.ts";
import { EMPTY, GOAL_HEADINGS } from "../lang/headings.ts";
import { LANGS, type Lang } from "../lang/lang.ts";
import { documentMessages } from "../lang/messages/documents.ts";
import { type Bodies, defineFormat, joinParagraphs, renderSections, sectionNames } from "./format.ts";
import { parseItems, renderItems } from "./items.ts";
import { bodyOf, scanSections } from "./sections.ts";
import { tidyItems, tidyLines, tidyText } from "./tidy.ts";

export type GoalSection = keyof typeof GOAL_HEADINGS;

const FORMAT = defineFormat<GoalSection>(
  [
    ["statement", GOAL_HEADINGS.statement],
    ["checks", GOAL_HEADINGS.checks],
  ],
  { empty: EMPTY },
);

/** `[此环境无法验证:…]`, `[unverifiable here: …]`, with any brackets and either colon, with or without a reason. */
const UNVERIFIABLE =
  /[[【［〔(（]\s*(?:此环境(?:下|中|里)?(?:无法|没法|不能)验证|(?:unverifiable|not verifiable|cannot be verified) here)\s*[:：\]】］〕)）]/i;

/** What a goal is made of; every field may be left out. */
export interface GoalFields {
  readonly statement?: string | undefined;
  readonly checks?: readonly string[] | undefined;
  /** Where it was read from or is to be known as; not part of its text. */
  readonly path?: string | undefined;
  /** Language in which it is written. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * The goal and the checklist it is judged by.
 *
 * Contract: immutable; `Goal.parse(goal.toMarkdown())` has the same values, for all texts (which are tidied when
 * the goal is made; a check is one line).
 */
export class Goal {
  readonly statement: string;
  /** One line each, without list marks. */
  readonly checks: readonly string[];
  readonly path: string | undefined;
  readonly lang: Lang;
  readonly #fields: GoalFields;

  constructor(fields: GoalFields = {}) {
    this.#fields = fields;
    this.statement = tidyText(fields.statement ?? "");
    this.checks = tidyItems(fields.checks ?? []);
    this.path = fields.path;
    this.lang = fields.lang ?? "en";
  }

  /** Reads a goal out of any text, in either language. Contract: never throws; what is not there is empty. */
  static parse(text: string): Goal {
    const scan = scanSections(text, FORMAT.match);
    return new Goal({
      statement: bodyOf(scan, "statement"),
      checks: parseItems(bodyOf(scan, "checks")),
      lang: scan.lang,
    });
  }

  /** The goal in a file, or undefined when there is no such file. Throws `files/not-readable`. */
  static load(path: string): Goal | undefined {
    const text = readTextIfExists(path);
    return text === undefined ? undefined : Goal.parse(text).with({ path });
  }

  /** The same goal with some fields replaced. */
  with(changes: GoalFields): Goal {
    return new Goal({ ...this.#fields, ...changes });
  }

  /** The checks that say of themselves that they cannot be verified where the work is done. */
  get unverifiable(): readonly string[] {
    return this.checks.filter((check) => UNVERIFIABLE.test(check));
  }

  /** The goal with what the human changed about it as a further paragraph; without words, the same goal. */
  amend(extra: string): Goal {
    const words = tidyLines(extra);
    if (words === "") return this;
    return this.with({
      statement: `${this.statement}\n\n${documentMessages[this.lang].goalModified} ${words}`,
    });
  }

  /** Names of the empty sections, in the goal's language (or the one given). */
  missing(lang: Lang = this.lang): string[] {
    const bodies = this.#bodies();
    return sectionNames(FORMAT, lang, (key) => bodies[key] === "");
  }

  /** Whether there is a goal and at least one check. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** For people and for the file. */
  toMarkdown(lang: Lang = this.lang): string {
    return `${joinParagraphs([renderSections(FORMAT, this.#bodies(), { lang })])}\n`;
  }

  /** For the models that work to it and judge by it. */
  promptBlock(lang: Lang = this.lang): string {
    const say = documentMessages[lang];
    const modified = LANGS.some((each) =>
      this.statement.split("\n").some((line) => line.startsWith(documentMessages[each].goalModified)),
    );
    return joinParagraphs([
      this.path === undefined ? say.goalIntro : `${say.goalIntro}${say.atPath(this.path)}`,
      modified ? say.goalModifiedNote : "",
      renderSections(FORMAT, this.#bodies(), { lang }),
    ]);
  }

  /** Writes it atomically and returns `path`. Throws `files/not-writable`. */
  write(path: string): string {
    writeTextAtomic(path, this.toMarkdown());
    return path;
  }

  #bodies(): Bodies<GoalSection> {
    return { statement: this.statement, checks: renderItems(this.checks) };
  }
}
