import spawn from "nano-spawn";

/** Where git looks, instead of where its surroundings say. */
export interface GitPlace {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Set when flower itself is started by a git hook: they would name another repository. */
const INHERITED = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** Runs git and returns what it printed, without the last line break. Rejects when it fails or is not there. */
export async function git(args: readonly string[], { cwd, env, signal }: GitPlace): Promise<string> {
  const { stdout } = await spawn("git", [...args], {
    cwd,
    stdin: "ignore",
    env: { ...INHERITED, GIT_OPTIONAL_LOCKS: "0", ...env },
    ...(signal === undefined ? {} : { signal }),
  });
  return stdout;
}

/** The top of the repository that `directory` lies in, with symbolic links resolved; undefined when it lies in none. */
export async function repositoryOf(directory: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const top = await git(["rev-parse", "--show-toplevel"], { cwd: directory, signal });
    return top === "" ? undefined : top;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Paths that git printed with `-z`. */
export function splitPaths(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}
