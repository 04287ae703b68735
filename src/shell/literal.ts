import { type WordBuilder, withPattern, withText, withUnknown } from "./word.ts";

/** Where a stretch of source text stands inside its word. */
export interface Place {
  /** Nothing of the word follows this stretch, so that a `$` at its end is only a dollar sign. */
  readonly last: boolean;
}

/**
 * Appends unquoted source text to a word.
 *
 * The parser has told us that there is no expansion in here, but what bash (and zsh, which the Bash tool also
 * uses) may still expand is judged again from the characters, on the side of doubt: braces without a comma, an
 * unclosed bracket, `=ls`, a tilde behind `=` or `:`. Undefined: a character that no literal can contain.
 */
export function appendBare(word: WordBuilder, raw: string, place: Place): WordBuilder | undefined {
  if (PLAIN.test(raw)) return withText(word, raw);
  let grown = word;
  let previous = word.text.at(-1) ?? "";
  let atStart = word.fields === "static" && word.text === "";
  for (let index = 0; index < raw.length; index += 1) {
    const char = raw.charAt(index);
    if (char === "\\") {
      index += 1;
      const escaped = raw.charAt(index);
      if (escaped === "") return undefined;
      // A continued line leaves nothing behind: the character after it is still the first of the word.
      if (escaped === "\n") continue;
      grown = withText(grown, escaped);
      previous = "\\";
    } else {
      const next = appendChar(grown, char, {
        atStart,
        previous,
        lastOfWord: place.last && index === raw.length - 1,
      });
      if (next === undefined) return undefined;
      grown = next;
      previous = char;
    }
    atStart = false;
  }
  return grown;
}

/** Most words: nothing in here means anything to a shell, wherever it stands. */
const PLAIN = /^[\w./,@%+-]+$/;

interface CharPlace {
  readonly atStart: boolean;
  readonly previous: string;
  readonly lastOfWord: boolean;
}

function appendChar(word: WordBuilder, char: string, place: CharPlace): WordBuilder | undefined {
  switch (char) {
    case "*":
    case "?":
    case "[":
    case "{":
      return withPattern(word);
    case "~":
      if (place.atStart) return withUnknown(withText(word, "~"));
      return place.previous === "=" || place.previous === ":" ? withUnknown(word) : withText(word, "~");
    case "=":
      return place.atStart ? withUnknown(withText(word, "=")) : withText(word, "=");
    case "$":
      // zsh has expansions that bash has not: `$=x`, `$+x[…]`, `$é`, and arithmetic in their subscripts.
      return place.lastOfWord ? withText(word, "$") : undefined;
    case "`":
    case "(":
    case ")":
    case "<":
    case ">":
    case "|":
    case "&":
    case ";":
    case "'":
    case '"':
    case " ":
    case "\t":
    case "\n":
      return undefined;
    default:
      return withText(word, char);
  }
}

/** What may follow a dollar sign in double quotes without making it an expansion, in bash and in zsh. */
const HARMLESS_AFTER_DOLLAR = " /|)\\.,:;%'";

/** Appends literal source text from inside double quotes to a word. Undefined: a backtick or an expansion in it. */
export function appendQuoted(word: WordBuilder, raw: string, place: Place): WordBuilder | undefined {
  if (!/[\\$`]/.test(raw)) return withText(word, raw);
  let grown = word;
  for (let index = 0; index < raw.length; index += 1) {
    const char = raw.charAt(index);
    const next = raw.charAt(index + 1);
    if (char === "\\") {
      if (next === "") return undefined;
      index += 1;
      if (next === "\n") continue;
      grown = withText(grown, '$`"\\'.includes(next) ? next : char + next);
    } else if (char === "$") {
      const harmless = next === "" ? place.last : HARMLESS_AFTER_DOLLAR.includes(next);
      // A continued line leaves nothing behind: what follows it would follow the dollar sign.
      if (!harmless || raw.startsWith("\\\n", index + 1)) return undefined;
      grown = withText(grown, "$");
    } else if (char === "`") {
      return undefined;
    } else {
      grown = withText(grown, char);
    }
  }
  return grown;
}
