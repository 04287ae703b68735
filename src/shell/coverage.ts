/** A stretch of the source, `end` exclusive. */
export interface Span {
  readonly pos: number;
  readonly end: number;
}

/** Runs to the end of the line; a `#` inside a word is part of that word and never between two. */
const COMMENT = /#[^\n]*/g;
/** Blanks, continued lines, joints and `!`. A lone `&` is none of them. */
const JOINTS = /^(?:[ \t\n;!]|&&|\|&?|\\\n)*$/;

/**
 * Whether the words account for the whole source, with nothing but joints and comments between them.
 *
 * unbash 6.0.4 drops a bracket behind a command name without an error (`ls ( rm x` becomes `ls rm x`). With this
 * check nothing falls under the table, whatever the parser does. `spans` are in the order of the source.
 */
export function isCovered(source: string, spans: readonly Span[]): boolean {
  let end = 0;
  for (const span of spans) {
    if (span.pos < end || !isBetween(source.slice(end, span.pos))) return false;
    end = span.end;
  }
  return isBetween(source.slice(end));
}

function isBetween(text: string): boolean {
  return text === "" || text === " " || JOINTS.test(text.replaceAll(COMMENT, ""));
}

/** Whether neighbouring parts of a word lie side by side from `pos` to `end`: nothing of it is left out. */
export function fills(parts: readonly Span[], { pos, end }: Span): boolean {
  let at = pos;
  for (const part of parts) {
    if (part.pos !== at) return false;
    at = part.end;
  }
  return at === end;
}
