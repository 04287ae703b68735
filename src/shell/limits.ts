/** Longest command that is looked at, in UTF-16 units. Glances are short; a program in a string is not one. */
const MAX_CHARS = 16 * 1024;
/** Deepest nesting of brackets. The parser's time grows faster than the depth. */
const MAX_DEPTH = 32;
/** Most `<<`: unbash 6.0.4 needs 0.4 s for 4,000 here-documents, and we allow none anyway. */
const MAX_HERE_DOCUMENTS = 16;

/**
 * Whether `source` is small and flat enough to be parsed.
 *
 * Contract: one pass, no recursion; counts brackets without looking at quotes, so it can only be too strict.
 */
export function isWithinLimits(source: string): boolean {
  if (source.length > MAX_CHARS) return false;
  let depth = 0;
  for (let index = 0; index < source.length; index += 1) {
    switch (KINDS[source.charCodeAt(index)] ?? HARMLESS) {
      case DISPUTED:
        return false;
      case OPENING:
        depth += 1;
        if (depth > MAX_DEPTH) return false;
        break;
      case CLOSING:
        if (depth > 0) depth -= 1;
        break;
      default:
        break;
    }
  }
  return countHereDocuments(source) <= MAX_HERE_DOCUMENTS;
}

/**
 * Characters on which shells, parsers and terminals disagree: NUL (bash drops it), carriage return, vertical tab,
 * form feed, escape … A glance needs none of them.
 */
const DISPUTED = 1;
const OPENING = 2;
const CLOSING = 3;
const HARMLESS = 0;

/** By character code; what lies beyond ASCII is in no class. */
const KINDS = Uint8Array.from({ length: 128 }, (_unused, code) => kindOf(String.fromCharCode(code)));

function kindOf(char: string): number {
  if ("([{".includes(char)) return OPENING;
  if (")]}".includes(char)) return CLOSING;
  if (char === "\t" || char === "\n") return HARMLESS;
  return char < " " || char === "\x7f" ? DISPUTED : HARMLESS;
}

function countHereDocuments(source: string): number {
  let count = 0;
  for (let at = source.indexOf("<<"); at >= 0; at = source.indexOf("<<", at + 2)) count += 1;
  return count;
}
