import { constants } from "node:fs";
import { cp, lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What tools write among the dependencies, and make anew where it is missing. */
export const CACHES = new Set([".cache", ".vite", ".vitest", "__pycache__"]);

/** Directories of installed dependencies: large, and read by whoever runs the code. */
const DEPENDENCIES = new Set(["node_modules", ".venv", "venv", "vendor", "Pods"]);

/**
 * Copies a file or directory to where nothing or an empty directory is, links as links; what is neither (sockets, pipes) stays behind.
 * `isSkipped` is asked for every path below it. Shares the blocks on disk where the file system can.
 */
export async function copyTree(
  from: string,
  to: string,
  isSkipped: (path: string) => boolean = () => false,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (path) => {
      if (path !== from && isSkipped(path)) return false;
      const found = await lstat(path);
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
}

export function isDependencies(path: string): boolean {
  return DEPENDENCIES.has(basename(path));
}

/**
 * Makes a directory of dependencies reachable at another place: each of its entries is linked, so that what a tool writes
 * beside them (`node_modules/.cache`) stays at that place.
 */
export async function linkEntries(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from)) {
    if (CACHES.has(entry)) continue;
    await symlink(join(from, entry), join(to, entry));
  }
}
