import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import spawn from "nano-spawn";
import { readTextIfExists } from "../base/files.ts";

/** Where the CLI puts the worktrees of isolated workers (2.1.332). */
const WORKTREES = ".claude/worktrees/";

/**
 * Lists flower's own directories in the repository's `info/exclude`, so that no worker's `git add -A` commits
 * them (SPEC 20.25). Only what lies inside the repository; only lines that are missing; a workspace that is no
 * repository, or a machine without git, is left alone.
 */
export async function excludeFromGit(workspace: string, directories: readonly string[]): Promise<void> {
  const git = await gitPaths(workspace);
  if (git === undefined) return;
  const inside = directories
    .map((directory) => relative(git.top, directory))
    .filter((path) => isInside(path));
  const wanted = [...inside.map((path) => `/${path.split(sep).join("/")}/`), WORKTREES];
  const present = new Set((readTextIfExists(git.exclude) ?? "").split("\n").map((line) => line.trim()));
  const missing = wanted.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  mkdirSync(dirname(git.exclude), { recursive: true });
  const text = readTextIfExists(git.exclude) ?? "";
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  appendFileSync(git.exclude, `${gap}${missing.join("\n")}\n`);
}

async function gitPaths(workspace: string): Promise<{ top: string; exclude: string } | undefined> {
  try {
    const { stdout } = await spawn("git", ["rev-parse", "--show-toplevel", "--git-path", "info/exclude"], {
      cwd: workspace,
      stdin: "ignore",
    });
    const [top, exclude] = stdout.split("\n");
    if (top === undefined || exclude === undefined) return undefined;
    return { top, exclude: resolve(workspace, exclude) };
  } catch {
    return undefined;
  }
}

function isInside(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`);
}
