import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, temporaryTree } from "./temporary.ts";

const CLEAN = {
  "package.json": JSON.stringify({ dependencies: { alpha: "1.2.3" }, devDependencies: { beta: "2.0.0" } }),
  "package-lock.json": JSON.stringify({ packages: { "node_modules/alpha": { version: "1.2.3" } } }),
  "README.md": "# a\n## one\n[why](docs/decisions/dependencies.md)\n",
  "README.zh.md": "# a\n## 一\n",
  "docs/decisions/dependencies.md": "| `alpha` | why |\n| `beta` | why |\n",
  "src/paths.ts":
    'const samples = ["/home/user/project", "src/home/page", "https://example.org/work/item"];\n',
};

function check(files: Readonly<Record<string, string>>) {
  const root = temporaryTree({ ...CLEAN, ...files });
  spawnSync("git", ["init", "--quiet"], { cwd: root });
  return spawnSync(process.execPath, [join(ROOT, "scripts", "check-house.mjs"), root], { encoding: "utf8" });
}

/** Put together here, because this file is checked too. */
const somebodysHome = ["", "home", "karl", "flower"].join("/");
const registryHost = ["registry", "example", "org"].join(".");

describe("the house check", () => {
  test("passes a clean house", () => {
    const { status, stderr } = check({});
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test.each([
    ["a path of somebody's machine", { "src/a.ts": `// see\n// ${somebodysHome}\n` }, "src/a.ts:2: names"],
    ["the host of a registry", { ".npmrc": `registry=https://${registryHost}/\n` }, ".npmrc:1: names"],
    [
      "an address in the lock file",
      {
        "package-lock.json": JSON.stringify({
          packages: { "node_modules/alpha": { resolved: "https://x.y" } },
        }),
      },
      'node_modules/alpha has "resolved"',
    ],
    [
      "a dependency that nobody explained",
      { "docs/decisions/dependencies.md": "| `alpha` | why |\n" },
      "no line for beta",
    ],
    [
      "an explanation that nobody needs",
      { "docs/decisions/dependencies.md": "| `alpha` | why |\n| `beta` | why |\n| `gamma` | why |\n" },
      "gamma is not used",
    ],
    [
      "a dependency that floats",
      {
        "package.json": JSON.stringify({
          dependencies: { alpha: "^1.2.3" },
          devDependencies: { beta: "2.0.0" },
        }),
      },
      "alpha is not pinned",
    ],
    ["a dead link", { "CONTRIBUTING.md": "[x](docs/nowhere.md)\n" }, "link to docs/nowhere.md"],
    [
      "a README that fell behind",
      { "README.zh.md": "# a\n" },
      "README.md has 1 sections, README.zh.md has 0",
    ],
  ])("fails on %s", (_what, files, finding) => {
    const { status, stderr } = check(files);
    expect(stderr).toContain(finding);
    expect(status).toBe(1);
  });
});
