/** Freezes `value` and all it holds, in place, without recursion: a body may be nested as deep as JSON allows. */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const held of Object.values(next)) open.push(held);
  }
  return value;
}
