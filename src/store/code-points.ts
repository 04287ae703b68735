/** Characters of `text` as people, and the Python original, count them: a surrogate pair is one. */
export function codePoints(text: string): number {
  const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g);
  return text.length - (pairs?.length ?? 0);
}
