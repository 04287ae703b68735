/**
 * Where a regular expression that began just before `at` ends: the index behind its delimiter.
 *
 * Tools differ on whether a delimiter inside a bracket expression ends the expression (GNU sed: yes, gawk and BSD
 * sed: no). So inside brackets only what all read alike is accepted: no delimiter, no nested bracket but a
 * class (`[[:alpha:]]`), no `]` in first place, no `\]`. Undefined: no end, a line break, or one of these.
 */
export function regexEnd(text: string, at: number, delimiter: string): number | undefined {
  let index = at;
  while (index < text.length) {
    const char = text.charAt(index);
    if (char === delimiter) return index + 1;
    if (char === "\n") return undefined;
    if (char === "\\") {
      if (index + 1 >= text.length || text.charAt(index + 1) === "\n") return undefined;
      index += 2;
    } else if (char === "[") {
      const end = bracketEnd(text, index, delimiter);
      if (end === undefined) return undefined;
      index = end;
    } else {
      index += 1;
    }
  }
  return undefined;
}

const CLASS = /\[:[a-z]+:\]/y;

function bracketEnd(text: string, open: number, delimiter: string): number | undefined {
  let index = open + 1;
  if (text.charAt(index) === "^") index += 1;
  if (text.charAt(index) === "]") return undefined;
  while (index < text.length) {
    const char = text.charAt(index);
    if (char === "]") return index + 1;
    if (char === delimiter || char === "\n") return undefined;
    if (char === "\\") {
      // An escaped delimiter is the same to all; `\]` is not.
      if (text.charAt(index + 1) === "]" || text.charAt(index + 1) === "\n") return undefined;
      index += 2;
    } else if (char === "[") {
      CLASS.lastIndex = index;
      const match = CLASS.exec(text);
      if (match === null) return undefined;
      index += match[0].length;
    } else {
      index += 1;
    }
  }
  return undefined;
}
