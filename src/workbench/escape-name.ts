/** Control characters, line and paragraph separators, and marks that turn the direction of writing. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A file name as it may be shown: it is chosen by a model, and a newline in it would let it write lines of its own
 * into the index, which is part of the system prompt. `\n` becomes `\u000a`, and so on.
 */
export function escapeName(name: string): string {
  return name.replaceAll(UNSHOWABLE, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
