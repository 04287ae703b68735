/**
 * One word of a command, as far as it can be known without running it.
 *
 * - `static`: exactly one argument with exactly this text.
 * - `dynamic`: the text is decided at run time. `fields` says whether it is exactly `one` argument (a quoted
 *   expansion, a tilde) or any number, none included (`many`: an unquoted expansion, a glob, braces). Every
 *   argument it becomes begins with `prefix`; a prefix of `~` stands for somebody's home directory.
 */
export type Word =
  | { readonly kind: "static"; readonly text: string }
  | { readonly kind: "dynamic"; readonly prefix: string; readonly fields: "one" | "many" };

/** Grows a word from left to right. Once something is dynamic, nothing more is known of the text behind it. */
export interface WordBuilder {
  readonly text: string;
  readonly fields: "static" | "one" | "many";
}

export const emptyWord: WordBuilder = { text: "", fields: "static" };

/** The word so far, followed by text that stands for itself. */
export function withText(word: WordBuilder, text: string): WordBuilder {
  return word.fields === "static" ? { text: word.text + text, fields: "static" } : word;
}

/** The word so far, followed by something unknown that stays inside this one argument. */
export function withUnknown(word: WordBuilder): WordBuilder {
  return word.fields === "static" ? { text: word.text, fields: "one" } : word;
}

/** The word so far, followed by a glob or braces: any number of arguments, all with the same beginning. */
export function withPattern(word: WordBuilder): WordBuilder {
  return { text: word.text, fields: "many" };
}

/** The word so far, followed by an unquoted expansion: it is split, so nothing at all is known of the arguments. */
export function withSplit(): WordBuilder {
  return { text: "", fields: "many" };
}

export function finishWord(word: WordBuilder): Word {
  if (word.fields === "static") return { kind: "static", text: word.text };
  return { kind: "dynamic", prefix: word.text, fields: word.fields };
}

/** Whether every argument this word becomes is certain not to be read as an option. */
export function isSafeOperand(word: Word): boolean {
  const start = word.kind === "static" ? word.text : word.prefix;
  if (start.startsWith("-")) return word.kind === "static" && word.text === "-";
  return word.kind === "static" || start !== "";
}

/** The text of a static word, undefined for a dynamic one. */
export function staticText(word: Word | undefined): string | undefined {
  return word?.kind === "static" ? word.text : undefined;
}
