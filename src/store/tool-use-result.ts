import { isRecord } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * A tool's own output stands a second time in `toolUseResult`, in the tool's shape (a string, or an object with
 * `stdout`, `file.content`, …). What is replaced in the result is replaced there too, else the text would still be
 * carried along and could come back from there.
 *
 * Contract: the shape stays; strings for which `rewrite` gives the same one stay; nothing changed, same entry.
 */
export function rewriteCopy(
  entry: SessionStoreEntry,
  rewrite: (text: string, field: string | undefined) => string,
): SessionStoreEntry {
  const before = entry.toolUseResult;
  if (before === undefined) return entry;
  const after = rewriteStrings(before, undefined, rewrite);
  return after === before ? entry : { ...entry, toolUseResult: after };
}

function rewriteStrings(
  value: unknown,
  field: string | undefined,
  rewrite: (text: string, field: string | undefined) => string,
): unknown {
  if (typeof value === "string") return rewrite(value, field);
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => rewriteStrings(item, field, rewrite));
    return next.every((item, index) => item === value[index]) ? value : next;
  }
  if (!isRecord(value) || isPicture(value)) return value;
  const next = Object.entries(value).map(([key, item]) => [key, rewriteStrings(item, key, rewrite)] as const);
  return next.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(next);
}

/** Base64 of an image or a document is long, but no text: it stays, as it does in the result. */
function isPicture(value: Readonly<Record<string, unknown>>): boolean {
  const { type } = value;
  return type === "image" || type === "document" || type === "pdf" || type === "base64" || "base64" in value;
}
