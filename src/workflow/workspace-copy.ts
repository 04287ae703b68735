import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdir, rm, stat, utimes } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { realPath } from "../base/real-path.ts";
import { copyTree, isDependencies, linkEntries } from "./copy-files.ts";
import { git, repositoryOf, splitPaths } from "./git.ts";

export interface CopyOptions {
  /** Where the copy is made: an empty directory, or nothing yet. */
  readonly into: string;
  /** Absolute paths inside the workspace that stay behind, with all below them. */
  readonly skip: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface WorkspaceCopy {
  /** The workspace in the copy. */
  readonly path: string;
  /** Directories of the original that the copy reaches through links. */
  readonly linked: readonly string[];
}

/**
 * A copy of the workspace as it is now, uncommitted and untracked files included, whose repository has nothing in common
 * with the original's but what it reads: refs, stash, index and configuration are its own, and there is no remote
 * (a worktree shares refs and stash, HARNESS 13.6). Files that git ignores are copied too, installed dependencies linked.
 * Writes nothing in the original. Rejects when git or the disk fails.
 */
export async function copyWorkspace(workspace: string, options: CopyOptions): Promise<WorkspaceCopy> {
  const from = realPath(workspace);
  const top = await repositoryOf(from, options.signal);
  if (top !== undefined) return copyRepository(from, { ...options, top: realPath(top) });
  const isSkipped = skipper(options.skip);
  const linked: string[] = [];
  await copyTree(from, options.into, (path) => {
    if (isSkipped(path)) return true;
    if (!isDependencies(path)) return false;
    linked.push(path);
    return true;
  });
  for (const path of linked) await linkEntries(path, join(options.into, relative(from, path)));
  return { path: options.into, linked };
}

async function copyRepository(
  workspace: string,
  { top, into, skip, signal }: CopyOptions & { readonly top: string },
): Promise<WorkspaceCopy> {
  await git(["clone", "--quiet", "--shared", "--no-checkout", "--", top, into], { cwd: top, signal });
  await git(["remote", "remove", "origin"], { cwd: into, signal });
  const gitDir = join(into, ".git");
  await copyExcludes(top, gitDir, skip);
  const index = resolve(top, await git(["rev-parse", "--git-path", "index"], { cwd: top }));
  const snapshot = join(gitDir, "snapshot-index");
  if (existsSync(index)) await copyIndex(index, snapshot);
  const env = { GIT_DIR: gitDir, GIT_INDEX_FILE: snapshot };
  await git(["add", "--all"], { cwd: top, env: { ...env, GIT_WORK_TREE: top }, signal });
  const here = { cwd: into, env: { ...env, GIT_WORK_TREE: into }, signal };
  await git(["checkout-index", "--all", "--force", "--quiet"], here);
  for (const path of await nestedRepositories(here)) await copyTree(join(top, path), join(into, path));
  await rm(snapshot, { force: true });
  // What is staged and what is not, as in the original.
  if (existsSync(index)) await copyFile(index, join(gitDir, "index"));
  const linked = await bringIgnored(top, { into, skip, signal });
  const path = join(into, relative(top, workspace));
  await mkdir(path, { recursive: true });
  return { path, linked };
}

/**
 * With its time: git believes an entry without reading the file when the index is younger than the file's last change, and
 * a file may have been changed in the second in which it was staged.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

/** Their files are not in the index, only the commit. */
async function nestedRepositories(place: Parameters<typeof git>[1]): Promise<string[]> {
  const staged = splitPaths(await git(["ls-files", "--stage", "-z"], place));
  return staged
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
}

/** What the original's own list excludes, and what is to stay behind. */
async function copyExcludes(top: string, gitDir: string, skip: readonly string[]): Promise<void> {
  const original = resolve(top, await git(["rev-parse", "--git-path", "info/exclude"], { cwd: top }));
  const list = join(gitDir, "info", "exclude");
  await mkdir(join(gitDir, "info"), { recursive: true });
  if (existsSync(original)) await copyFile(original, list);
  const inside = skip.map((path) => relative(top, realPath(path))).filter((path) => !path.startsWith(".."));
  const patterns = inside.map(
    (path) =>
      `/${path
        .split(sep)
        .join("/")
        .replaceAll(/[\\*?[\]]/g, "\\$&")}\n`,
  );
  await appendFile(list, `\n${patterns.join("")}`);
}

/** Files that git ignores: build results and settings that the code may need to run. */
async function bringIgnored(top: string, { into, skip, signal }: CopyOptions): Promise<readonly string[]> {
  const isSkipped = skipper(skip);
  const listed = await git(["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"], {
    cwd: top,
    signal,
  });
  const linked: string[] = [];
  for (const entry of splitPaths(listed)) {
    signal?.throwIfAborted();
    // A directory ends with a slash.
    const [from, to] = [resolve(top, entry), resolve(into, entry)];
    if (isSkipped(from)) continue;
    if (isDependencies(from)) {
      linked.push(from);
      await linkEntries(from, to);
    } else await copyTree(from, to, isSkipped);
  }
  return linked;
}

/** Whether a path is one of these, or below one. */
function skipper(skip: readonly string[]): (path: string) => boolean {
  const real = skip.map(realPath);
  return (path) => {
    return real.some((skipped) => path === skipped || path.startsWith(`${skipped}${sep}`));
  };
}
