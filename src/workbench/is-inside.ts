import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf } from "../base/errors.ts";

/** True when `path` is `directory` or lies below it. By name alone: give real paths where links matter. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * The path with every symbolic link resolved. What does not exist (yet) is kept by name below its nearest
 * existing parent, so that a file about to be written can be placed too. Errors other than a missing part (a
 * loop of links, no permission) are thrown.
 */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch (thrown) {
    const code = errnoOf(thrown);
    const parent = dirname(absolute);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === absolute) throw thrown;
    return join(realPath(parent), basename(absolute));
  }
}
