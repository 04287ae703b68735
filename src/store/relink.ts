import { isRecord, parentOf, uuidOf } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * The fields by which an entry points at another one in its chain. `leafUuid` stands on `last-prompt` and `summary`
 * rows: the CLI (2.1.332) looks there for the end of the conversation, so a stale one would hide the rest.
 */
const POINTERS = ["parentUuid", "logicalParentUuid", "leafUuid"] as const;

/**
 * Takes `dropped` out and ties each of their children to the nearest ancestor that stays.
 *
 * A transcript is a tree of `parentUuid`s that the CLI walks from the leaf to the root: where a link is broken, all
 * history before it is gone. Hence the whole list is wanted here, with what is to be dropped.
 * Contract: never mutates; an entry that needs no change is the same object.
 */
export function relink(
  entries: readonly SessionStoreEntry[],
  dropped: ReadonlySet<SessionStoreEntry>,
): readonly SessionStoreEntry[] {
  if (dropped.size === 0) return entries;
  const parentOfDropped = new Map<string, string | null>();
  for (const entry of dropped) {
    const uuid = uuidOf(entry);
    if (uuid !== undefined) parentOfDropped.set(uuid, parentOf(entry) ?? null);
  }
  const survivor = (uuid: string): string | null => {
    const seen = new Set<string>();
    let at: string | null = uuid;
    while (at !== null && parentOfDropped.has(at)) {
      if (seen.has(at)) return null;
      seen.add(at);
      at = parentOfDropped.get(at) ?? null;
    }
    return at;
  };
  return entries.filter((entry) => !dropped.has(entry)).map((entry) => repoint(entry, survivor));
}

/**
 * The entry with its pointers sent through `target`. A pointer that is none stays so, and a `leafUuid` is never
 * made null: to the CLI that would mean an emptied conversation.
 */
export function repoint(
  entry: SessionStoreEntry,
  target: (uuid: string) => string | null,
): SessionStoreEntry {
  let next = entry;
  for (const field of POINTERS) {
    const value = entry[field];
    if (typeof value !== "string") continue;
    const to = target(value);
    if (to === value || (to === null && field === "leafUuid")) continue;
    next = { ...next, [field]: to };
  }
  return next;
}

/**
 * Uuids that a compaction lists as kept. The CLI gives up reading the rest when one of them is missing
 * ("preserved_uuid_missing"), so such an entry must not be dropped.
 */
export function pinnedUuids(entries: readonly SessionStoreEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => stringsIn(entry.compactMetadata)));
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}
