import { staticText, type Word } from "../word.ts";

/** `command -v name` and `command -V name` only tell; every other form runs the name. */
export function checkCommand(words: readonly Word[]): boolean {
  const first = staticText(words[0]);
  return first === "-v" || first === "-V";
}

/**
 * test and [: every word known. Not `-v` and `-R`, which evaluate subscripts, nor words that could be a subscript or
 * an expansion: zsh does arithmetic on the operands of `-eq`, and arithmetic can run `a[$(…)]`.
 */
export function checkTest(words: readonly Word[]): boolean {
  const texts = words.map(staticText);
  return texts.every((text) => text !== undefined && text !== "-v" && text !== "-R" && !/[[$`]/.test(text));
}

/** Flags, width and precision in figures, then a conversion. Not `%n` (assigns), not `*` (takes a number). */
const DIRECTIVE = /%(?:%|[-+ #0]*\d*(?:\.\d*)?([sbqcdiouxXeEfFgG]))/g;
const PLAIN_ARGUMENT = /^[\w.+ -]*$/;

/**
 * printf: a known format without options (`-v` assigns a variable, and `%n` does too: bash would then look for
 * programs in a directory called `5`). Behind a numeric conversion only plain arguments: zsh evaluates them.
 */
export function checkPrintf(words: readonly Word[]): boolean {
  const [format, ...args] = staticText(words[0]) === "--" ? words.slice(1) : words;
  const text = staticText(format);
  if (text === undefined || (text.startsWith("-") && words[0] === format)) return false;
  let numeric = false;
  const rest = text.replaceAll(DIRECTIVE, (_match, conversion: string | undefined) => {
    if (conversion !== undefined && !"sbqc".includes(conversion)) numeric = true;
    return "";
  });
  if (rest.includes("%")) return false;
  return !numeric || args.every((word) => word.kind === "static" && PLAIN_ARGUMENT.test(word.text));
}
