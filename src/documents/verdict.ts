import { EMPTY, VERDICT_HEADINGS, VERDICT_STATES, type VerdictState } from "../lang/headings.ts";
import type { Lang } from "../lang/lang.ts";
import { documentMessages } from "../lang/messages/documents.ts";
import { type Bodies, defineFormat, joinParagraphs, renderSections, sectionNames } from "./format.ts";
import type { Heading } from "./heading.ts";
import { readItems, renderItems } from "./items.ts";
import { namesOnlyTheRound, saysNothingFailed } from "./plain-verdict.ts";
import { type Scan, type Section, scanSections } from "./sections.ts";
import { tidyItems, tidyText } from "./tidy.ts";
import { admitsUnverified, isBareState, saysWanting, stateIn } from "./verdict-words.ts";

export type { VerdictState } from "../lang/headings.ts";
export type VerdictSection = keyof typeof VERDICT_HEADINGS;

const FORMAT = defineFormat<VerdictSection>(
  [
    ["conclusion", VERDICT_HEADINGS.conclusion],
    ["reason", VERDICT_HEADINGS.reason],
    ["failed", VERDICT_HEADINGS.failed],
  ],
  { empty: EMPTY, bulleted: true },
);

/** What a verdict is made of; every field may be left out. */
export interface VerdictFields {
  /** "" when the judge's conclusion could not be understood. */
  readonly state?: VerdictState | "" | undefined;
  readonly reason?: string | undefined;
  readonly failed?: readonly string[] | undefined;
  /** Language in which it is written. Default "en". */
  readonly lang?: Lang | undefined;
}

/**
 * What a judge ruled in one round.
 *
 * Contract: immutable; `Verdict.parse(verdict.toMarkdown())` has the same values, except that one whose reason says
 * that something could not be verified is read as not understood when it was made as achieved. No text passes that
 * does not say plainly that the goal is achieved.
 */
export class Verdict {
  readonly state: VerdictState | "";
  readonly reason: string;
  /** The failed checks, one line each. */
  readonly failed: readonly string[];
  readonly lang: Lang;
  readonly #fields: VerdictFields;

  constructor(fields: VerdictFields = {}) {
    this.#fields = fields;
    this.state = fields.state ?? "";
    this.reason = tidyText(fields.reason ?? "");
    this.failed = tidyItems(fields.failed ?? []).filter((item) => !saysNothingFailed(item));
    this.lang = fields.lang ?? "en";
  }

  /**
   * Reads a judge's reply, in either language: the conclusion section, or without one what stands outside the
   * sections, which is the whole reply when there are none (SPEC 8). Without a section for its reason, the reason is
   * what the judge said instead.
   *
   * Contract: never throws. What is not said in the words listed in `plain-verdict.ts` is not achieved. Conclusions
   * that contradict each other are none, whichever comes first; failed checks count wherever they stand; and a reply
   * does not pass when something in it is hidden, or speaks against it, outside its conclusion and its failed checks.
   */
  static parse(text: string): Verdict {
    const scan = scanSections(text, FORMAT.match);
    const { reasons, failures, conclusions } = sortSections(scan);
    // Before the first heading there is everything, when there is no heading.
    const said = conclusions.length > 0 ? conclusions.map(({ body }) => body) : [tidyText(scan.preamble)];
    const lists = failures.map(({ body }) => readItems(body));
    const state = agreedState(said.map(stateIn));
    const refuted =
      scan.cutOff ||
      // Fences in a reason hold evidence; elsewhere they can hide what failed.
      [...conclusions, ...failures].some(({ fenced }) => fenced) ||
      (conclusions.length > 0 ? saysWanting(scan.preamble) : scan.preambleFenced) ||
      lists.some(({ labels }) => labels.length > 0) ||
      reasons.flat().some(admitsUnverified);
    const withdrawn = state === "achieved" && refuted;
    const bare = state !== "" && said.every(isBareState);
    const reason = joinParagraphs(reasons[0] ?? []) || (bare ? "" : joinParagraphs(said));
    return new Verdict({
      state: withdrawn ? "" : state,
      // What is not understood is handed back whole: the words that spoke against it say what to look at.
      reason: withdrawn && conclusions.length > 0 ? joinParagraphs([scan.preamble, reason]) : reason,
      failed: lists.flatMap(({ items, labels }) => (withdrawn ? [...items, ...labels] : items)),
      lang: scan.lang,
    });
  }

  /** The same verdict with some fields replaced. */
  with(changes: VerdictFields): Verdict {
    return new Verdict({ ...this.#fields, ...changes });
  }

  /** The judge's conclusion could be understood. Says nothing about what it was. */
  get ok(): boolean {
    return this.state !== "";
  }

  /** The work passes: the judge says so and names no failed check. */
  get achieved(): boolean {
    return this.state === "achieved" && this.failed.length === 0;
  }

  /** No further round can help; a human has to decide. */
  get unreachable(): boolean {
    return this.state === "unreachable";
  }

  /** Names of the sections without content, in the verdict's language (or the one given). None may have failed. */
  missing(lang: Lang = this.lang): string[] {
    const bodies = this.#bodies(lang);
    return sectionNames(FORMAT, lang, (key) => key !== "failed" && bodies[key] === "");
  }

  /** Whether there is a conclusion and a reason. */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /** What the coordinator is told when its work is sent back. */
  feedback(lang: Lang = this.lang): string {
    const say = documentMessages[lang];
    const items = renderItems(this.failed);
    return joinParagraphs([
      say.feedbackIntro,
      this.reason === "" ? "" : `${say.feedbackReason}\n\n${this.reason}`,
      items === "" ? "" : `${say.feedbackFailed}\n\n${items}`,
      items === "" ? say.feedbackDemandOpen : say.feedbackDemand,
    ]);
  }

  /** For people. */
  toMarkdown(lang: Lang = this.lang): string {
    return `${joinParagraphs([renderSections(FORMAT, this.#bodies(lang), { lang })])}\n`;
  }

  /** For a model that has to know it. */
  promptBlock(lang: Lang = this.lang): string {
    return joinParagraphs([documentMessages[lang].verdictIntro, this.toMarkdown(lang).trimEnd()]);
  }

  #bodies(lang: Lang): Bodies<VerdictSection> {
    return {
      conclusion: this.state === "" ? "" : VERDICT_STATES[lang][this.state],
      reason: this.reason,
      failed: renderItems(this.failed),
    };
  }
}

/** The sections of a reply by what they are for, where that is not what their headings say. */
interface Sorted {
  /** Without those that are the title of the reply (`# Verdict: round 2`). */
  readonly conclusions: readonly Section<VerdictSection>[];
  /** The paragraphs of those that have any. */
  readonly reasons: readonly (readonly string[])[];
  readonly failures: readonly Section<VerdictSection>[];
}

/**
 * A line such as `Failed: 0` inside the reason, before the section for the failed checks, is the output of a test
 * runner: what follows it still belongs to the reason.
 */
function sortSections(scan: Scan<VerdictSection>): Sorted {
  const last = scan.sections.findLastIndex(({ heading }) => heading.key === "failed");
  const reasons: string[][] = [];
  const failures: Section<VerdictSection>[] = [];
  let inReason = false;
  for (const [at, section] of scan.sections.entries()) {
    const { heading, body } = section;
    if (inReason && at < last && isZeroCount(heading)) {
      reasons.at(-1)?.push(`${heading.name}: ${body}`);
      continue;
    }
    inReason = heading.key === "reason";
    if (inReason) reasons.push(body === "" ? [] : [body]);
    if (heading.key === "failed") failures.push(section);
  }
  const conclusions = scan.sections.filter(
    ({ heading, body }) => heading.key === "conclusion" && body !== "" && !namesOnlyTheRound(body),
  );
  return { conclusions, reasons: reasons.filter(({ length }) => length > 0), failures };
}

function isZeroCount({ key, form, text }: Heading<VerdictSection>): boolean {
  return key === "failed" && form === "plain" && text.startsWith("0") && saysNothingFailed(text);
}

/** The state that all of a reply's conclusions name; "" when one names another, or none. */
function agreedState(states: readonly (VerdictState | "")[]): VerdictState | "" {
  const [first = "", ...others] = states;
  return others.every((other) => other === first) ? first : "";
}
