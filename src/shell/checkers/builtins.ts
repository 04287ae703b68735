import { staticText, type Word } from "../word.ts";

/** `command -v name` and `command -V name` only tell; every other form runs the name. */
export function checkCommand(words: readonly Word[]): boolean {
  const first = staticText(words[0]);
  return first === "-v" || first === "-V";
}

const ARITHMETIC = /^-(?:eq|ne|lt|le|gt|ge)$/;
const INTEGER = /^[+-]?\d+$/;

/**
 * test and [: every word known. Not `-v` and `-R`, which evaluate subscripts, nor words that could be a subscript or
 * an expansion. Where a number is due only figures: zsh computes there, and `[ -t PATH=5 ]` assigns.
 */
export function checkTest(words: readonly Word[]): boolean {
  const texts = words.map((word) => staticText(word) ?? "$");
  return texts.every((text, index) => {
    if (text === "-v" || text === "-R" || /[[$`]/.test(text)) return false;
    if (text === "-t") return isDescriptor(texts[index + 1]);
    return !ARITHMETIC.test(text) || [texts[index - 1], texts[index + 1]].every(isInteger);
  });
}

function isDescriptor(text: string | undefined): boolean {
  return text === undefined || text === "]" || /^\d+$/.test(text);
}

function isInteger(text: string | undefined): boolean {
  return text !== undefined && INTEGER.test(text);
}

/** Flags, width and precision in figures, then a conversion. Not `%n` (assigns), not `*` (takes a number). */
const DIRECTIVE = /%(?:%|[-+ #0]*\d*(?:\.\d*)?([sbqcdiouxXeEfFgG]))/g;
/** A number as printf reads it; nothing that zsh could compute (`PATH++` assigns). */
const NUMBER = /^(?:[+-]?\.?\d[\w.]*)?$/;

/**
 * printf: a known format without options (`-v` assigns a variable, and `%n` does too: bash would then look for
 * programs in a directory called `5`). What a numeric conversion takes must be a number: zsh evaluates it.
 */
export function checkPrintf(words: readonly Word[]): boolean {
  const [format, ...args] = staticText(words[0]) === "--" ? words.slice(1) : words;
  const text = staticText(format);
  if (text === undefined || (text.startsWith("-") && words[0] === format)) return false;
  const conversions: string[] = [];
  const rest = text.replaceAll(DIRECTIVE, (_match, conversion: string | undefined) => {
    if (conversion !== undefined) conversions.push(conversion);
    return "";
  });
  if (rest.includes("%")) return false;
  const isNumeric = conversions.map((conversion) => !"sbqc".includes(conversion));
  if (!isNumeric.includes(true)) return true;
  // The format is used again until the arguments are spent; a word that may become several would move the rest.
  return args.every((word, index) =>
    isNumeric[index % isNumeric.length] === true
      ? word.kind === "static" && NUMBER.test(word.text)
      : word.kind === "static" || word.fields === "one",
  );
}
