import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A throw-away repository with a home of its own, in which a command may do its worst. */
export interface World {
  /** Runs commands one after the other as the Bash tool does: `bash -c`, nothing on stdin. */
  readonly run: (commands: readonly string[]) => void;
  /**
   * Everything that could have changed: names, modes, contents, links, in the repository and at home, and which
   * files were touched at all (`file -p` sets times; a look does not).
   */
  readonly fingerprint: () => string;
  /** Puts everything back as it was made. */
  readonly reset: () => void;
  readonly remove: () => void;
}

/** For one call of `run`, however many commands it has. */
const TIMEOUT_MS = 180_000;

/** git refreshes the times that it caches in here whenever it looks. */
const INDEX = "repo/.git/index";

export function makeWorld(): World {
  const root = mkdtempSync(join(tmpdir(), "flower-shell-"));
  const world = join(root, "world");
  const pristine = join(root, "pristine");
  const home = join(world, "home");
  const repo = join(world, "repo");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: join(world, "tmp"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const git = (args: readonly string[]): string => execFileSync("git", args, { cwd: repo, env }).toString();
  // procps' top creates this empty directory even in batch mode.
  for (const directory of [join(home, ".config/procps"), join(world, "tmp"), join(repo, "src")]) {
    mkdirSync(directory, { recursive: true });
  }
  fill(repo, git);
  cpSync(world, pristine, { recursive: true });
  let made = describeTree(world);
  return {
    run: (commands) => {
      // Each in a subshell, closed by a line break because a command may end in a comment.
      const script = commands.map((command) => `(${command}\n)\n`).join("");
      const options = {
        cwd: repo,
        env,
        stdio: "ignore",
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
      } as const;
      const { error } = spawnSync("bash", ["--norc", "-c", script], options);
      if (error !== undefined) throw error;
    },
    // The index is compared by what it says.
    fingerprint: () =>
      [
        ...[...describeTree(world)]
          .filter(([path]) => path !== INDEX)
          .map(([path, { line, changedMs }]) => {
            const before = made.get(path)?.changedMs ?? changedMs;
            return `${path} ${line}${before === changedMs ? "" : " touched"}`;
          }),
        git(["ls-files", "-s"]),
      ].join("\n"),
    reset: () => {
      rmSync(world, { recursive: true });
      cpSync(pristine, world, { recursive: true });
      made = describeTree(world);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function fill(repo: string, git: (args: readonly string[]) => unknown): void {
  const write = (path: string, text: string): void => writeFileSync(join(repo, path), text);
  // Without the samples of hooks, which would only be hashed again and again.
  git(["init", "-q", "--template=", "-b", "main"]);
  git(["config", "user.name", "Somebody"]);
  git(["config", "user.email", "somebody@example.com"]);
  // What `git help -w` would start.
  git(["config", "help.browser", "touching"]);
  git(["config", "help.htmlPath", "."]);
  git(["config", "browser.touching.cmd", "touch new; true"]);
  write("git-ls-files.html", "a manual");
  write("a.txt", "begin\na:b:7\nneedle\nend\n");
  write("b.txt", "b a\n");
  write("data.json", '{"a":[{"b":2}]}\n');
  write("src/one.ts", "export const needle = 1;\n");
  git(["add", "."]);
  git(["commit", "-q", "-m", "first"]);
  git(["tag", "v1"]);
  write("src/two.ts", "export const two = 2;\n");
  git(["add", "."]);
  git(["commit", "-q", "-m", "second"]);
  git(["branch", "feature/x"]);
  write("a.txt", "begin\na:b:7\nneedle\nstashed\nend\n");
  git(["stash", "-q"]);
  write("b.txt", "b a\nchanged\n");
}

interface Entry {
  readonly line: string;
  /** When the inode last changed. Undefined for directories, where git makes and removes its locks. */
  readonly changedMs: number | undefined;
}

/** By path, in order. */
function describeTree(root: string): ReadonlyMap<string, Entry> {
  return new Map(entries(root, ""));
}

function entries(root: string, path: string): [string, Entry][] {
  const full = join(root, path);
  const stat = lstatSync(full);
  const mode = stat.mode.toString(8);
  if (stat.isDirectory()) {
    const below = readdirSync(full).sort();
    return [
      [path, { line: `${mode} directory`, changedMs: undefined }],
      ...below.flatMap((name) => entries(root, join(path, name))),
    ];
  }
  const content = stat.isSymbolicLink()
    ? `-> ${readlinkSync(full)}`
    : createHash("sha256").update(readFileSync(full)).digest("hex");
  return [[path, { line: `${mode} ${content}`, changedMs: stat.ctimeMs }]];
}
