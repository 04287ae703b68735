import { appendFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import spawn from "nano-spawn";
import { errorText } from "../base/errors.ts";
import { ensureDirectory, readTextIfExists } from "../base/files.ts";
import { realPath } from "../base/real-path.ts";

/** Where the CLI puts the worktrees of isolated workers (2.1.332). */
const WORKTREES = ".claude/worktrees/";

/**
 * Lists flower's own directories in the repository's `info/exclude`, so that no worker's `git add -A` commits
 * them (SPEC 20.25). Only what lies inside the repository; only lines that are missing; a workspace that is no
 * repository, or a machine without git, is left alone.
 *
 * Contract: never rejects; returns what went wrong, because work must not stop over a line in a list.
 */
export async function excludeFromGit(
  workspace: string,
  directories: readonly string[],
): Promise<string | undefined> {
  const git = await gitPaths(workspace);
  if (git === undefined) return undefined;
  try {
    // git names its directories by their real paths; one of ours may not exist yet.
    const top = realPath(git.top);
    const inside = directories.map((directory) => relative(top, realPath(directory))).filter(isInside);
    // A line of the list is a pattern: a name with a line break cannot stand there.
    const odd = inside.find((path) => /[\r\n]/.test(path));
    if (odd !== undefined) return JSON.stringify(odd);
    const wanted = [...inside.map((path) => `/${escapePattern(path.split(sep).join("/"))}/`), WORKTREES];
    const text = readTextIfExists(git.exclude) ?? "";
    const present = new Set(text.split("\n").map((line) => line.trim()));
    const missing = wanted.filter((line) => !present.has(line));
    if (missing.length === 0) return undefined;
    ensureDirectory(dirname(git.exclude));
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    appendFileSync(git.exclude, `${gap}${missing.join("\n")}\n`);
    return undefined;
  } catch (thrown) {
    return errorText(thrown);
  }
}

/** Characters that mean something in a pattern stand for themselves. */
function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, "\\$&");
}

async function gitPaths(workspace: string): Promise<{ top: string; exclude: string } | undefined> {
  const ask = async (...question: readonly string[]): Promise<string> => {
    const { stdout } = await spawn("git", ["rev-parse", ...question], {
      cwd: workspace,
      stdin: "ignore",
      // Set when flower itself is started by a git hook: they would name another repository.
      env: { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined },
    });
    return stdout;
  };
  const [first, second] = [["--show-toplevel"], ["--git-path", "info/exclude"]];
  try {
    const both = (await ask(...first, ...second)).split("\n");
    // An answer is a path, in which a line break is a character like any other: then each is asked for alone.
    const [top = "", exclude = ""] =
      both.length === 2 ? both : await Promise.all([ask(...first), ask(...second)]);
    return top === "" ? undefined : { top, exclude: resolve(workspace, exclude) };
  } catch {
    return undefined;
  }
}

function isInside(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`);
}
