import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Whether `directory` lies in a git work tree: a `.git` beside it or above it, as git itself looks for it. */
export function isGitRepository(directory: string): boolean {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
