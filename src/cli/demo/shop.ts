import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import spawn, { SubprocessError } from "nano-spawn";
import { errnoOf, FlowerError } from "../../base/errors.ts";
import { ensureDirectory, readTextIfExists } from "../../base/files.ts";
import { processEnv } from "../../config/env.ts";
import type { Lang } from "../../lang/lang.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { shownPath } from "../shown-path.ts";
import { SHOP_NAME, shopFiles } from "./shop-files.ts";

/**
 * Makes the demo's workspace: a small git repository with a bug report in it. Idempotent, also after a kill in
 * the middle: what is there is left as it is. Throws `cli/demo-directory` for a directory with other things in it,
 * `cli/demo-git` when git cannot do its part, be it that another demo is at it in the same directory.
 */
export async function openShop(directory: string, lang: Lang): Promise<void> {
  ensureDirectory(directory);
  assertOurs(directory, lang);
  for (const [path, text] of Object.entries(shopFiles(lang))) {
    const target = join(directory, path);
    if (existsSync(target)) continue;
    ensureDirectory(dirname(target));
    writeFileSync(target, text);
  }
  await firstCommit(directory, lang);
}

/** An empty directory, or one that an earlier demo made; `package.json` is the first file it writes. */
function assertOurs(directory: string, lang: Lang): void {
  if (readdirSync(directory).length === 0) return;
  if (readTextIfExists(join(directory, "package.json"))?.includes(`"${SHOP_NAME}"`)) return;
  const say = cliMessages[lang];
  throw new FlowerError("cli/demo-directory", say.demoForeign(shownPath(directory)), {
    hint: say.demoForeignHint,
  });
}

/** The user's own git may sign, run hooks or know an author; the shop's first commit is the same everywhere. */
const GIT_CONFIG = [
  "user.name=flower demo",
  "user.email=demo@flower.invalid",
  "commit.gpgsign=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

async function firstCommit(directory: string, lang: Lang): Promise<void> {
  // Set when flower is started by a git hook: they would name another repository.
  const foreign = Object.keys(processEnv()).filter((name) => name.startsWith("GIT_"));
  const git = (...args: readonly string[]) =>
    spawn("git", [...GIT_CONFIG, ...args], {
      cwd: directory,
      stdin: "ignore",
      env: Object.fromEntries(foreign.map((name) => [name, undefined])),
    });
  try {
    if (!existsSync(join(directory, ".git"))) await git("init", "--quiet");
    const hasCommit = await git("rev-parse", "--verify", "--quiet", "HEAD").then(
      () => true,
      () => false,
    );
    if (hasCommit) return;
    await git("add", "--force", ...Object.keys(shopFiles("en")));
    await git("commit", "--quiet", "--no-verify", "-m", "The till as it was sold");
  } catch (thrown) {
    throw gitFailed(thrown, directory, lang);
  }
}

/** What git itself said, not the command that was run. */
function gitFailed(thrown: unknown, directory: string, lang: Lang): unknown {
  if (!(thrown instanceof SubprocessError)) return thrown;
  const say = cliMessages[lang];
  if (errnoOf(thrown.cause) === "ENOENT")
    return new FlowerError("cli/demo-git", say.demoNoGit, { hint: say.demoNoGitHint, cause: thrown });
  const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
  // Git complains with its first line; what it only reports ("nothing to commit") comes last.
  const why = linesOf(thrown.stderr).at(0) ?? linesOf(thrown.stdout).at(-1) ?? thrown.message;
  return new FlowerError("cli/demo-git", say.demoGit(shownPath(directory), why), {
    hint: say.demoGitHint,
    cause: thrown,
  });
}
