import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import spawn from "nano-spawn";
import { FlowerError } from "../../base/errors.ts";
import { ensureDirectory, readTextIfExists } from "../../base/files.ts";
import { processEnv } from "../../config/env.ts";
import type { Lang } from "../../lang/lang.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { SHOP_NAME, shopFiles } from "./shop-files.ts";

/**
 * Makes the demo's workspace: a small git repository with a bug report in it. Idempotent, also after a kill in
 * the middle: what is there is left as it is. Throws `cli/demo-directory` for a directory with other things in it.
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
  await firstCommit(directory);
}

/** An empty directory, or one that an earlier demo made; `package.json` is the first file it writes. */
function assertOurs(directory: string, lang: Lang): void {
  if (readdirSync(directory).length === 0) return;
  if (readTextIfExists(join(directory, "package.json"))?.includes(`"${SHOP_NAME}"`)) return;
  const say = cliMessages[lang];
  throw new FlowerError("cli/demo-directory", say.demoForeign(directory), { hint: say.demoForeignHint });
}

/** The user's own git may sign, run hooks or know an author; the shop's first commit is the same everywhere. */
const GIT_CONFIG = [
  "user.name=flower demo",
  "user.email=demo@flower.invalid",
  "commit.gpgsign=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

async function firstCommit(directory: string): Promise<void> {
  // Set when flower is started by a git hook: they would name another repository.
  const foreign = Object.keys(processEnv()).filter((name) => name.startsWith("GIT_"));
  const git = (...args: readonly string[]) =>
    spawn("git", [...GIT_CONFIG, ...args], {
      cwd: directory,
      stdin: "ignore",
      env: Object.fromEntries(foreign.map((name) => [name, undefined])),
    });
  if (!existsSync(join(directory, ".git"))) await git("init", "--quiet");
  const hasCommit = await git("rev-parse", "--verify", "--quiet", "HEAD").then(
    () => true,
    () => false,
  );
  if (hasCommit) return;
  await git("add", "--force", ...Object.keys(shopFiles("en")));
  await git("commit", "--quiet", "--no-verify", "-m", "The till as it was sold");
}
