import { isStandIn } from "./heal.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * The entries of `found` that `stored` does not hold, in their order. One with a `uuid` is known by it; one without
 * by what it says, as often as it says it, and only behind all that is stored: rows are mirrored in order, and what
 * stands before in another form was changed on its way to the CLI. Of results that we made up there is nothing to save.
 */
export function missingEntries(
  found: readonly SessionStoreEntry[],
  stored: readonly SessionStoreEntry[],
): SessionStoreEntry[] {
  const left = new Map<string, number>();
  for (const entry of stored) left.set(nameOf(entry), (left.get(nameOf(entry)) ?? 0) + 1);
  const lastStored = found.findLastIndex((entry) => entry.uuid !== undefined && left.has(nameOf(entry)));
  return found.filter((entry, at) => {
    const name = nameOf(entry);
    const count = left.get(name) ?? 0;
    if (count === 0) return entry.uuid === undefined ? at > lastStored : !isStandIn(entry);
    if (entry.uuid === undefined) left.set(name, count - 1);
    return false;
  });
}

/** The order of fields differs between a row and a file. */
function nameOf(entry: SessionStoreEntry): string {
  if (entry.uuid !== undefined) return `uuid ${entry.uuid}`;
  const fields = Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(fields);
}
