import { isAbsolute, relative, sep } from "node:path";

/** True when `path` is `directory` or lies below it. By name alone: give real paths where links matter. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
