import type { SectionNames } from "../lang/headings.ts";
import type { Lang } from "../lang/lang.ts";

/** A line that opens a section. */
export interface Heading<Key extends string> {
  readonly key: Key;
  /** The heading's words as they stand there, for telling two spellings of one section apart. */
  readonly name: string;
  /** The language the heading is in; absent when that cannot be told. */
  readonly lang?: Lang;
  /**
   * How much it looks like a heading: `marked` has `#` or bold; `plain` is `Goal:`; `item` begins like an item of
   * a list (`3. Goal`, `- **Goal**`), which may be what it is.
   */
  readonly form: "marked" | "plain" | "item";
  /** What follows the heading on its line. */
  readonly text: string;
}

/** Decides whether a line opens a section. Looks at the line alone. */
export type HeadingMatcher<Key extends string> = (line: string) => Heading<Key> | undefined;

/** Sections in the order in which they are written. */
export type SectionTable<Key extends string> = readonly (readonly [Key, SectionNames])[];

const INDENTED_CODE = /^(?: {4}| {0,3}\t)/;
const HASHES = /^#{1,6}/;
const PICTURES = /^(?:\p{Extended_Pictographic}|\uFE0F|\u200D|\s)+/u;
const BULLET = /^[-*+][ \t]+/;
const NUMBER =
  /^(?:\d{1,3}[.．)）、]|[(（]\d{1,3}[)）]|[一二三四五六七八九十]{1,3}[、.．]|[(（][一二三四五六七八九十]{1,3}[)）])/;
const OPENING_BOLD = /^(?:\*\*\*?|__|【)/;
const COLON = /^[ \t]*[:：]/;
/** What may follow the words of a `#` heading; a letter would make them part of another word (`目标用户`). */
const AFTER_HASH_NAME = /^(?:$|[\s(（[【·|/、—–])/;
const SEPARATOR = /^[ \t]*(?:[-—–·|]+[ \t]+|[:：][ \t]*)/;

/**
 * A matcher for `## X`, `**X**`, `X:`, `3. X` and what is put together from them, each with or without text on the
 * same line, for all names of all sections in both languages.
 *
 * Prose that merely begins with a name is no heading: without `#` or bold, a colon must follow, or, after a
 * number, nothing. `bulleted` also accepts `- **X**: …`, for documents whose lists hold no such items themselves.
 */
export function headingMatcher<Key extends string>(
  sections: SectionTable<Key>,
  options: { bulleted?: boolean } = {},
): HeadingMatcher<Key> {
  const names = compileNames(sections);
  return (line) => {
    if (INDENTED_CODE.test(line)) return undefined;
    const lead = readLead(line.trim(), options.bulleted ?? false);
    const found = names(lead.rest);
    if (found === undefined) return undefined;
    const after = afterName(found.rest, lead, found.lang);
    if (after === undefined) return undefined;
    return { key: found.key, name: found.name, lang: found.lang, ...after };
  };
}

/** What stands before the name. */
interface Lead {
  readonly hash: boolean;
  /** A bullet or a number, without `#` before it. */
  readonly listed: "bullet" | "number" | undefined;
  /** What must close the bold that is open; empty when none is. */
  readonly closing: string;
  readonly rest: string;
}

function readLead(line: string, bulleted: boolean): Lead {
  let rest = line;
  const take = (pattern: RegExp): string => {
    const taken = pattern.exec(rest)?.[0] ?? "";
    rest = rest.slice(taken.length).trimStart();
    return taken;
  };
  const hash = take(HASHES) !== "";
  if (hash) take(PICTURES);
  const bullet = !hash && bulleted && take(BULLET) !== "";
  let bold = take(OPENING_BOLD);
  const number = take(NUMBER) !== "";
  if (bold === "") bold = take(OPENING_BOLD);
  const listed = hash ? undefined : bullet ? "bullet" : number ? "number" : undefined;
  return { hash, listed, closing: bold === "【" ? "】" : bold, rest };
}

/** The form of the heading and its text, or undefined when what follows the name shows that it is none. */
function afterName(
  following: string,
  lead: Lead,
  lang: Lang,
): Pick<Heading<string>, "form" | "text"> | undefined {
  if (lead.closing !== "") {
    const inner = following.replace(COLON, "").trimStart();
    // `**Goal**: text`, `**Goal:** text`; with a colon also `**Goal: text**`.
    if (!inner.startsWith(lead.closing) && !COLON.test(following)) return undefined;
    const text = withoutSeparator(inner.replace(lead.closing, ""));
    return { form: lead.listed === undefined ? "marked" : "item", text: lead.hash ? unhash(text) : text };
  }
  if (lead.listed === "bullet") return undefined;
  if (COLON.test(following)) {
    const text = withoutSeparator(following);
    if (lead.hash) return { form: "marked", text: unhash(text) };
    return { form: lead.listed === undefined ? "plain" : "item", text };
  }
  if (lead.hash) {
    if (!AFTER_HASH_NAME.test(following)) return undefined;
    return { form: "marked", text: unhash(withoutSeparator(following)) };
  }
  if (lead.listed === undefined) return undefined;
  // In Chinese prose no space follows a word, so `3. 边界 不改接口` is a heading; "3. Goal posts moved" is not.
  const spaced = lang === "zh" && /^\s/.test(following);
  return following === "" || spaced ? { form: "item", text: following.trim() } : undefined;
}

function withoutSeparator(text: string): string {
  return text.replace(SEPARATOR, "").trim();
}

/** Without the `##` that may close a heading. Counted by hand: a pattern that looks for the end is quadratic. */
function unhash(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "#") end -= 1;
  const opened = text.slice(0, end);
  return opened === "" || opened !== opened.trimEnd() ? opened.trimEnd() : text;
}

interface NameFound<Key> {
  readonly key: Key;
  readonly lang: Lang;
  readonly name: string;
  readonly rest: string;
}

/** Finds the longest name that a text begins with: `未知` must not swallow `未知与假设`. */
function compileNames<Key extends string>(
  sections: SectionTable<Key>,
): (text: string) => NameFound<Key> | undefined {
  const known = sections.flatMap(([key, names]) => [
    ...names.zh.map((name) => ({ key, lang: "zh" as const, name: canonical(name) })),
    ...names.en.map((name) => ({ key, lang: "en" as const, name: canonical(name) })),
  ]);
  const longestFirst = known.toSorted((a, b) => b.name.length - a.name.length);
  const pattern = new RegExp(`^(?:${longestFirst.map(({ name }) => nameSource(name)).join("|")})`, "i");
  return (text) => {
    const name = pattern.exec(text)?.[0];
    if (name === undefined) return undefined;
    const rest = text.slice(name.length);
    if (/^[a-z]$/i.test(name.at(-1) ?? "") && /^[\p{L}\p{N}_]/u.test(rest)) return undefined;
    const found = longestFirst.find((one) => one.name === canonical(name));
    return found === undefined ? undefined : { ...found, name: canonical(name), rest };
  };
}

function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, " ");
}

/** A name as a pattern; its words may be joined by any white space, hyphen or underscore. */
function nameSource(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(" ", String.raw`[\s_-]{1,3}`);
}
