import { constants, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { errnoOf } from "../base/errors.ts";

/**
 * Moves a file to the path that `target` gives, also on another file system; false, and nothing asked or done, when
 * there is no such file. `rename` is a parameter because a test has no second file system.
 *
 * Contract: at every moment the file is complete in one of the two places. Throws the system's errors.
 */
export function moveFile(path: string, target: () => string, rename = renameSync): boolean {
  if (!existsSync(path)) return false;
  const to = target();
  try {
    rename(path, to);
  } catch (thrown) {
    const code = errnoOf(thrown);
    // Another process was quicker.
    if (code === "ENOENT" && !existsSync(path)) return false;
    if (code !== "EXDEV") throw thrown;
    copyFileSync(path, to, constants.COPYFILE_EXCL);
    rmSync(path);
  }
  return true;
}
