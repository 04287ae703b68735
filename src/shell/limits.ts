/** Longest command that is looked at, in UTF-16 units. Glances are short; a program in a string is not one. */
const MAX_CHARS = 16 * 1024;
/** Deepest nesting of brackets. The parser's time grows faster than the depth. */
const MAX_DEPTH = 32;
/** Most `<<`: unbash 6.0.4 needs 0.4 s for 4,000 here-documents, and we allow none anyway. */
const MAX_HERE_DOCUMENTS = 16;

/**
 * Characters on which shells, parsers and terminals disagree: NUL (bash drops it), carriage return, vertical tab,
 * form feed, escape … A glance needs none of them.
 */
function isDisputed(code: number): boolean {
  return (code < 0x20 && code !== TAB && code !== NEWLINE) || code === DELETE;
}
const TAB = 0x09;
const NEWLINE = 0x0a;
const DELETE = 0x7f;

/**
 * Whether `source` is small and flat enough to be parsed.
 *
 * Contract: one pass, no recursion; counts brackets without looking at quotes, so it can only be too strict.
 */
export function isWithinLimits(source: string): boolean {
  if (source.length > MAX_CHARS) return false;
  let depth = 0;
  let hereDocuments = 0;
  for (let index = 0; index < source.length; index += 1) {
    if (isDisputed(source.charCodeAt(index))) return false;
    switch (source.charAt(index)) {
      case "(":
      case "{":
      case "[":
        depth += 1;
        if (depth > MAX_DEPTH) return false;
        break;
      case ")":
      case "}":
      case "]":
        depth = Math.max(0, depth - 1);
        break;
      case "<":
        if (source.charAt(index + 1) === "<") hereDocuments += 1;
        if (hereDocuments > MAX_HERE_DOCUMENTS) return false;
        break;
      default:
        break;
    }
  }
  return true;
}
