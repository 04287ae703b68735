import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errnoOf } from "./errors.ts";

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
