import { lstatSync, type Stats } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { FlowerError } from "../base/errors.ts";
import { ensureDirectory, readTextIfExists, setAside, writeTextAtomic } from "../base/files.ts";
import type { Lang } from "../lang/lang.ts";
import { escapeName } from "./escape-name.ts";
import { isInside } from "./is-inside.ts";
import { type Category, renderIndex, renderPrompt } from "./render.ts";
import { scanDirectory, type WorkbenchEntry } from "./scan-directory.ts";
import { pathsBelow, WORKBENCH_DIRNAME, type WorkbenchPaths } from "./workbench-paths.ts";

export interface WorkbenchOptions {
  /** Name of the directory inside the workspace. Default `.flower`. */
  readonly dirname?: string;
  /** Entries per category in the prompt block; `INDEX.md` always has all. Default 40. */
  readonly maxIndexEntries?: number;
  /** The root itself, wherever it lies; `dirname` then means nothing. */
  readonly home?: string;
  /** The directory's language. Default `en`. */
  readonly lang?: Lang;
  readonly clock?: Clock;
}

/**
 * The directory that outlives every conversation: scripts, artifacts, notes, spilled results, and an index of
 * them that becomes part of the system prompt. Subagents have a system prompt of their own and do not inherit it.
 *
 * Contract: the constructor and `promptBlock`, `scan`, `show` write nothing; only `ensure` and `refresh` do.
 * Relative paths are resolved once, at construction.
 */
export class Workbench implements WorkbenchPaths {
  readonly workspace: string;
  readonly maxIndexEntries: number;
  readonly lang: Lang;
  readonly root: string;
  readonly external: boolean;
  readonly scripts: string;
  readonly artifacts: string;
  readonly notes: string;
  readonly spill: string;
  readonly indexPath: string;
  readonly #clock: Clock;

  /** Throws `workbench/bad-place` when the root would be the workspace itself or contain it, `workbench/bad-limit`. */
  constructor(workspace: string, options: WorkbenchOptions = {}) {
    this.workspace = resolve(workspace);
    this.lang = options.lang ?? "en";
    this.#clock = options.clock ?? systemClock;
    this.maxIndexEntries = checkedLimit(options.maxIndexEntries ?? 40);
    const root =
      options.home === undefined
        ? join(this.workspace, options.dirname ?? WORKBENCH_DIRNAME)
        : resolve(options.home);
    const paths = pathsBelow(checkedRoot(root, this.workspace), this.workspace);
    this.root = paths.root;
    this.external = paths.external;
    this.scripts = paths.scripts;
    this.artifacts = paths.artifacts;
    this.notes = paths.notes;
    this.spill = paths.spill;
    this.indexPath = paths.indexPath;
  }

  /**
   * `path` as agents are told it: relative to the workspace and with `/` while the workbench lies inside, absolute
   * when it is external or the path leads out. Control characters are escaped.
   */
  show(path: string): string {
    const absolute = resolve(this.workspace, path);
    if (this.external || !isInside(this.workspace, absolute)) return escapeName(absolute);
    return escapeName(relative(this.workspace, absolute).split(sep).join("/") || ".");
  }

  /** Creates the three directories that agents write into. */
  ensure(): void {
    for (const directory of [this.scripts, this.artifacts, this.notes]) ensureDirectory(directory);
  }

  /** The files below one of the directories, with what they say about themselves. See `scanDirectory`. */
  scan(directory: string): readonly WorkbenchEntry[] {
    return scanDirectory(resolve(this.root, directory), this.root).entries;
  }

  /**
   * Brings `INDEX.md` up to date; true when it was written. It is replaced as a whole, and only when its content
   * differs. Something else in its place (a link, a directory) is moved aside, never written through.
   */
  refresh(): boolean {
    this.ensure();
    const text = renderIndex(this.#categories(), this.lang);
    const found = lstatIfExists(this.indexPath);
    if (found !== undefined && !found.isFile()) setAside(this.indexPath, this.#clock.now());
    else if (readTextIfExists(this.indexPath) === text) return false;
    writeTextAtomic(this.indexPath, text, { durable: false });
    return true;
  }

  /** What the main agent of a session reads about the workbench, from what lies there now. */
  promptBlock(): string {
    return renderPrompt(this.#categories(), {
      paths: this,
      maxIndexEntries: this.maxIndexEntries,
      lang: this.lang,
      show: (path) => this.show(path),
    });
  }

  #categories(): readonly Category[] {
    const named = { scripts: this.scripts, artifacts: this.artifacts, notes: this.notes };
    return Object.entries(named).map(([name, directory]) => ({
      name,
      scan: scanDirectory(directory, this.root),
    }));
  }
}

function lstatIfExists(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** `INDEX.md` and four directories in the middle of a user's own files would be a mess nobody asked for. */
function checkedRoot(root: string, workspace: string): string {
  if (!isInside(root, workspace)) return root;
  throw new FlowerError("workbench/bad-place", `the workbench cannot be ${root}: the workspace lies in it`, {
    hint: `Choose a directory of its own, for example ${join(workspace, WORKBENCH_DIRNAME)}.`,
  });
}

function checkedLimit(entries: number): number {
  if (Number.isInteger(entries) && entries >= 0) return entries;
  throw new FlowerError("workbench/bad-limit", `maxIndexEntries must be a whole number >= 0, not ${entries}`);
}
