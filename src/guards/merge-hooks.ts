import type { HookGroups, HookMatcher } from "./hook-types.ts";

/**
 * Joins hook groups event by event, in the order given. Nothing is removed: the same guard given twice is
 * installed twice. Absent groups are skipped, events without a hook are left out, the arguments stay as they are.
 * Events that our types do not name are kept too.
 */
export function mergeHooks(...groups: readonly (HookGroups | null | undefined)[]): HookGroups {
  const merged = new Map<string, HookMatcher[]>();
  for (const group of groups) {
    for (const [event, matchers] of Object.entries(group ?? {})) {
      if (matchers.length > 0) merged.set(event, [...(merged.get(event) ?? []), ...matchers]);
    }
  }
  return Object.fromEntries(merged);
}
