import { existsSync, lstatSync, realpathSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { ensureDirectory, readTextIfExists, writeTextAtomic } from "../base/files.ts";
import type { StoreMessages } from "../lang/messages/store.ts";
import type { Spill } from "./trim.ts";

export interface SpillPlace {
  /** Absolute. */
  readonly workspace: string;
  readonly spillDirname: string;
  readonly say: StoreMessages;
}

/** The absolute spill directory. Throws `store/spill-outside-workspace`: the agent's Read could not reach it. */
export function spillDirectory({ workspace, spillDirname, say }: SpillPlace): string {
  const directory = resolve(workspace, spillDirname);
  if (isInside(workspace, directory)) return directory;
  throw outside({ workspace, spillDirname, say });
}

/**
 * Writes the spills, readable by the owner alone (a result may show secrets), and returns when all are written.
 *
 * Everything below the workspace may have been written by an agent, in a sandbox perhaps: a symbolic link there
 * must not carry our write, with an agent's content, to a place outside. So the directory has to lie in the
 * workspace for real, and a link in place of a file is replaced. No agent of this session runs while it is loaded.
 */
export function writeSpills(place: SpillPlace, spills: readonly Spill[]): void {
  if (spills.length === 0) return;
  const directory = spillDirectory(place);
  if (!isInside(realpathSync(place.workspace), realpathSync(nearestExisting(directory)), { orSame: true })) {
    throw outside(place);
  }
  ensureDirectory(directory);
  for (const { name, text } of spills) {
    const path = join(directory, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
    // Not durable: a long session has thousands, at some milliseconds each, and each load looks at every one again.
    if (readTextIfExists(path) !== text) writeTextAtomic(path, text, { mode: 0o600, durable: false });
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function isInside(
  parent: string,
  child: string,
  { orSame = false }: { readonly orSame?: boolean } = {},
): boolean {
  const way = relative(parent, child);
  if (way === "") return orSame;
  return way !== ".." && !way.startsWith("../") && !way.startsWith("..\\") && !isAbsolute(way);
}

function outside({ workspace, spillDirname, say }: SpillPlace): FlowerError {
  return new FlowerError("store/spill-outside-workspace", say.spillOutside(spillDirname, workspace), {
    hint: say.spillOutsideHint,
  });
}
