import { regexEnd } from "./delimited.ts";

/**
 * Whether a sed script only prints, deletes, substitutes and jumps. Not `w`, `W`, `r`, `R` (files), `e`
 * (executes), the `w` and `e` flags of `s`, nor `a`, `i`, `c`, whose text reaches to the end of the line by rules
 * of its own. One script is one `-e`: it must be complete, or the next would continue it.
 */
export function isReadOnlySed(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    const next = command(script, at);
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

/** Reads one command with its addresses and whatever ends it. */
function command(script: string, start: number): number | undefined {
  const begin = skip(/[\s;]*/y, script, start);
  if (begin === script.length) return begin;
  const afterAddresses = addresses(script, begin);
  if (afterAddresses === undefined) return undefined;
  const at = skip(/[ \t]*!?[ \t]*/y, script, afterAddresses);
  const verb = script.charAt(at);
  switch (verb) {
    case "{":
      return at + 1;
    case "}":
    case "p":
    case "P":
    case "d":
    case "D":
    case "n":
    case "N":
    case "g":
    case "G":
    case "h":
    case "H":
    case "x":
    case "=":
      return ended(script, at + 1);
    case "q":
    case "Q":
    case "l":
      return ended(script, skip(/[ \t]*\d*/y, script, at + 1));
    case "b":
    case "t":
    case "T":
    case ":":
      return ended(script, skip(/[ \t]*\w*/y, script, at + 1));
    case "s":
      return substitute(script, at + 1);
    case "y":
      return transliterate(script, at + 1);
    default:
      return undefined;
  }
}

/** A command ends at a semicolon, a line end, a closing brace or with the script. */
function ended(script: string, at: number): number | undefined {
  const end = skip(/[ \t]*/y, script, at);
  return end === script.length || "; \n}".includes(script.charAt(end)) ? end : undefined;
}

function addresses(script: string, start: number): number | undefined {
  const first = address(script, start);
  if (first === undefined || first === start) return first;
  const comma = skip(/[ \t]*/y, script, first);
  if (script.charAt(comma) !== ",") return first;
  const second = skip(/[ \t]*/y, script, comma + 1);
  const end = address(script, second);
  return end === second ? undefined : end;
}

/** A line number, a step (`0~3`, `+4`, `~8`), the last line, or a regular expression with its flags. */
function address(script: string, at: number): number | undefined {
  const char = script.charAt(at);
  if (char === "$") return at + 1;
  const number = skip(/[+~]?\d+(?:~\d+)?/y, script, at);
  if (number > at) return number;
  if (char !== "/" && char !== "\\") return at;
  const delimiter = char === "/" ? "/" : script.charAt(at + 1);
  if (!isDelimiter(delimiter)) return undefined;
  const end = regexEnd(script, char === "/" ? at + 1 : at + 2, delimiter);
  return end === undefined ? undefined : skip(/[IM]*/y, script, end);
}

function substitute(script: string, at: number): number | undefined {
  const delimiter = script.charAt(at);
  if (!isDelimiter(delimiter)) return undefined;
  const replacement = regexEnd(script, at + 1, delimiter);
  if (replacement === undefined) return undefined;
  const flags = textEnd(script, replacement, delimiter);
  if (flags === undefined) return undefined;
  return ended(script, skip(/[gpiIMm0-9]*/y, script, flags));
}

function transliterate(script: string, at: number): number | undefined {
  const delimiter = script.charAt(at);
  if (!isDelimiter(delimiter)) return undefined;
  const second = textEnd(script, at + 1, delimiter);
  if (second === undefined) return undefined;
  const end = textEnd(script, second, delimiter);
  return end === undefined ? undefined : ended(script, end);
}

/** Letters and digits as delimiters change the meaning of escapes; brackets that of bracket expressions. */
function isDelimiter(char: string): boolean {
  return char !== "" && "/|,:#!@%_=~+".includes(char);
}

/** The end of a replacement: no bracket expressions in here, only escapes. */
function textEnd(script: string, at: number, delimiter: string): number | undefined {
  for (let index = at; index < script.length; index += 1) {
    const char = script.charAt(index);
    if (char === delimiter) return index + 1;
    if (char === "\n") return undefined;
    if (char === "\\") {
      index += 1;
      if (script.charAt(index) === "\n") return undefined;
    }
  }
  return undefined;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? at : at + match[0].length;
}
