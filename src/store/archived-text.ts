import { STORE_MESSAGES } from "../lang/messages/store.ts";

/** The pointer lines of both languages, with any number and path. */
const ARCHIVED = Object.values(STORE_MESSAGES).map(({ archived }) => {
  const [before, between, after] = archived(0, "\n").split(/0|\n/);
  return { before: before ?? "", between: between ?? "", after: after ?? "" };
});

/**
 * Whether a text is such a pointer already: it is neither archived itself (with a small `minChars` it would be) nor
 * stale. Pointers come in again when a fork stores what a resume was fed.
 */
export function isArchivedText(text: string): boolean {
  return ARCHIVED.some(
    ({ before, between, after }) =>
      text.startsWith(before) &&
      text.endsWith(after) &&
      /^\d+$/.test(text.slice(before.length).split(between)[0] ?? ""),
  );
}
