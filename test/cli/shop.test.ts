import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openShop } from "../../src/cli/demo/shop.ts";
import { errorLine } from "../../src/cli/error-line.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-shop-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

const log = (shop: string): string =>
  execFileSync("git", ["log", "--format=%an %G? %s"], { cwd: shop, encoding: "utf8" });

test("the first commit is the same whatever the user's git is set to", async () => {
  const home = join(dir, "home");
  mkdirSync(join(home, "hooks"), { recursive: true });
  writeFileSync(join(home, "hooks", "post-commit"), `#!/bin/sh\ntouch '${join(dir, "hook-ran")}'\n`, {
    mode: 0o755,
  });
  writeFileSync(join(home, "ignored"), "*.json\n");
  writeFileSync(
    join(home, ".gitconfig"),
    `[commit]\n gpgsign = true\n[core]\n hooksPath = ${join(home, "hooks")}\n excludesFile = ${join(home, "ignored")}\n`,
  );
  vi.stubEnv("HOME", home);
  const shop = join(dir, "shop");
  await openShop(shop, "en");
  expect(log(shop)).toBe("flower demo N The till as it was sold\n");
  expect(existsSync(join(dir, "hook-ran"))).toBe(false);
});

test("a git hook that starts the demo keeps its own repository", async () => {
  const other = join(dir, "other");
  execFileSync("git", ["init", "--quiet", other]);
  vi.stubEnv("GIT_DIR", join(other, ".git"));
  vi.stubEnv("GIT_INDEX_FILE", join(other, ".git", "index"));
  const shop = join(dir, "shop");
  await openShop(shop, "en");
  vi.unstubAllEnvs();
  expect(log(shop)).toContain("The till as it was sold");
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: other, encoding: "utf8" })).toBe("");
  expect(existsSync(join(other, ".git", "index"))).toBe(false);
});

test("where another git is at work, one line says so in git's words and not in ours", async () => {
  const shop = join(dir, "shop");
  execFileSync("git", ["init", "--quiet", shop]);
  writeFileSync(join(shop, "package.json"), '{ "name": "flower-demo-till" }');
  writeFileSync(join(shop, ".git", "index.lock"), "");
  const failure: unknown = await openShop(shop, "en").catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ code: "cli/demo-git", hint: expect.stringContaining("another demo") });
  const line = errorLine(failure);
  expect(line).toMatch(/^x git cannot make the repository of the demo in .*: fatal: .*index\.lock/);
  expect(line).not.toContain("user.name");
});

test("where another demo was quicker, what git says is told, not where git is", async () => {
  const shop = join(dir, "shop");
  // Git looks for a commit, adds, commits: to the second of them this one answers as if another had just committed.
  writeFileSync(
    join(dir, "git"),
    '#!/bin/sh\ncase "$*" in *rev-parse*) exit 1;; *commit*) printf "On branch x\\nnothing to commit\\n"; exit 1;; esac\n',
    { mode: 0o755 },
  );
  vi.stubEnv("PATH", `${dir}:${process.env.PATH}`);
  await expect(openShop(shop, "en")).rejects.toMatchObject({
    message: `git cannot make the repository of the demo in ${shop}: nothing to commit`,
  });
});

test("without git it says what is missing", async () => {
  vi.stubEnv("PATH", dir);
  await expect(openShop(join(dir, "shop"), "zh")).rejects.toMatchObject({
    code: "cli/demo-git",
    message: "演示要用 git,而 PATH 里没有",
  });
});
