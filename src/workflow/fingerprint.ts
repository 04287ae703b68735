import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { errnoOf } from "../base/errors.ts";
import { CACHES } from "./copy-files.ts";
import { git, repositoryOf, splitPaths } from "./git.ts";

/** What a workspace holds at one moment: a few characters for each path, and for what git keeps. */
export type Fingerprint = ReadonlyMap<string, string>;

export interface FingerprintOptions {
  /** Whether what lies at an absolute path is nobody's work: flower's own files. */
  readonly isSkipped: (path: string) => boolean;
  /** Directories of dependencies, which are told by size and times: they are too many to be read. */
  readonly linked: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Bytes from which a file is told by size and times; smaller ones are read. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The content and kind of every file that is not ignored, where HEAD, branches, tags and stash stand, what is staged, and
 * the repository's configuration and hooks. Not when a file was touched, nor what was fetched meanwhile: an editor or a
 * prompt that looks at the repository changes nothing of that.
 */
export async function fingerprint(workspace: string, options: FingerprintOptions): Promise<Fingerprint> {
  const { isSkipped, linked, signal } = options;
  const found = new Map<string, string>();
  const top = await repositoryOf(workspace, signal);
  const root = top ?? workspace;
  const paths = top === undefined ? await walk(root, isSkipped) : await listed(top, signal);
  for (const path of paths) {
    signal?.throwIfAborted();
    const absolute = join(root, path);
    if (!isSkipped(absolute)) found.set(path, await describe(absolute));
  }
  for (const directory of linked) {
    for (const path of await walk(directory, isCache))
      found.set(relative(root, join(directory, path)), await describeByTimes(join(directory, path)));
  }
  if (top !== undefined)
    for (const [name, value] of await repositoryState(top, signal)) found.set(name, value);
  return found;
}

/** Paths, and parts of the repository, of which the two do not say the same; sorted. */
export function differences(before: Fingerprint, after: Fingerprint): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

async function listed(top: string, signal: AbortSignal | undefined): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  return [...new Set(splitPaths(await git(args, { cwd: top, signal })))];
}

/** Files and links below a directory, by their paths from it. */
async function walk(root: string, isSkipped: (path: string) => boolean, below = ""): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (isSkipped(join(root, path))) continue;
    if (entry.isDirectory()) paths.push(...(await walk(root, isSkipped, path)));
    else paths.push(path);
  }
  return paths;
}

const isCache = (path: string): boolean => CACHES.has(basename(path));

async function describe(path: string): Promise<string> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return `link ${await readlink(path)}`;
    // A repository in the repository; it has a state of its own.
    if (!found.isFile()) return "other";
    if (found.size >= LARGE_FILE_BYTES) return await describeByTimes(path);
    return `${found.mode & 0o111 ? "program" : "file"} ${await hashOf(path)}`;
  } catch (thrown) {
    // In the index, and deleted from disk.
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return "gone";
    throw thrown;
  }
}

/** The time of the last change cannot be set back by who has changed a file. */
async function describeByTimes(path: string): Promise<string> {
  const { size, mode, mtimeNs, ctimeNs, ino } = await lstat(path, { bigint: true });
  return [size, mode, mtimeNs, ctimeNs, ino].join(" ");
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

async function repositoryState(
  top: string,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly [string, string])[]> {
  const ask = async (...args: readonly string[]): Promise<string> => {
    try {
      return await git(args, { cwd: top, signal });
    } catch {
      signal?.throwIfAborted();
      // No commit yet, or HEAD is detached: that is a state too.
      return "none";
    }
  };
  const hooks = await ask("rev-parse", "--git-path", "hooks");
  return [
    ["HEAD", `${await ask("symbolic-ref", "--quiet", "HEAD")} ${await ask("rev-parse", "HEAD")}`],
    [
      "refs",
      await ask("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/stash"),
    ],
    ["index", digest(await ask("ls-files", "--stage", "-z"))],
    ["config", digest(await ask("config", "--local", "--list", "-z"))],
    ["hooks", await describeDirectory(resolve(top, hooks))],
  ];
}

async function describeDirectory(path: string): Promise<string> {
  try {
    const files = await walk(path, () => false);
    const described = await Promise.all(
      files.map(async (file) => `${file} ${await describe(join(path, file))}`),
    );
    return digest(described.sort().join("\n"));
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return "none";
    throw thrown;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
