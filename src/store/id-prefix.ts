/** A prefix shorter than this is a guess (a session begins with eight characters before its first dash). */
export const MIN_PREFIX = 6;

/** What an id or the beginning of one stands for. */
export type Match =
  | { readonly kind: "one"; readonly id: string }
  | { readonly kind: "short" | "none" }
  | { readonly kind: "several"; readonly ids: readonly string[] };

/** Finds the id that `text` is, or begins. One that is written out is itself, whatever else begins with it. */
export function matchId(ids: readonly string[], text: string): Match {
  if (ids.includes(text)) return { kind: "one", id: text };
  if (text.length < MIN_PREFIX) return { kind: "short" };
  const found = [...new Set(ids)].filter((id) => id.startsWith(text));
  const [first, second] = found;
  if (first === undefined) return { kind: "none" };
  return second === undefined ? { kind: "one", id: first } : { kind: "several", ids: found };
}

/** Characters of an id that are shown when all of it is not asked for. */
const SHORT_CHARS = 8;

/** The least number of characters, at least eight, by which each of the ids is told from every other one. */
export function shortLength(ids: readonly string[]): number {
  const sorted = [...new Set(ids)].sort();
  return sorted.reduce((length, id, index) => {
    const next = sorted[index + 1] ?? "";
    return Math.max(length, sharedChars(id, next) + 1);
  }, SHORT_CHARS);
}

function sharedChars(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared;
}
