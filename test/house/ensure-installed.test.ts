import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeProblem, reasonToInstall } from "../../scripts/ensure-installed.mjs";
import { npmCommand } from "../../scripts/npm-command.mjs";
import { ROOT, temporaryTree } from "./temporary.ts";

const LOCKED = {
  "": { name: "example", version: "1.0.0" },
  "node_modules/alpha": { version: "1.2.3", integrity: "sha512-alpha" },
  "node_modules/for-another-platform": { version: "1.0.0", integrity: "sha512-other", optional: true },
};
const INSTALLED = { "node_modules/alpha": LOCKED["node_modules/alpha"] };

const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });

function installedTree(): string {
  return temporaryTree({
    "package-lock.json": lock(LOCKED),
    "node_modules/.package-lock.json": lock(INSTALLED),
    "node_modules/alpha/package.json": "{}",
  });
}

describe("when packages have to be installed", () => {
  test("not when node_modules holds what the lock file says", () => {
    expect(reasonToInstall(installedTree())).toBeUndefined();
  });

  test("when there is no node_modules", () => {
    const root = temporaryTree({ "package-lock.json": lock(LOCKED) });
    expect(reasonToInstall(root)).toBe("node_modules is absent");
  });

  test("when an install was cut off before npm noted that it was done", () => {
    const root = installedTree();
    rmSync(join(root, "node_modules/.package-lock.json"));
    expect(reasonToInstall(root)).toBe("node_modules is incomplete");
  });

  test("when a package was deleted by hand", () => {
    const root = installedTree();
    rmSync(join(root, "node_modules/alpha"), { recursive: true });
    expect(reasonToInstall(root)).toBe("node_modules is incomplete");
  });

  test.each([
    ["another version", { "node_modules/alpha": { version: "1.3.0", integrity: "sha512-alpha" } }],
    ["another content", { "node_modules/alpha": { version: "1.2.3", integrity: "sha512-changed" } }],
    ["one package more", { ...INSTALLED, "node_modules/beta": { version: "1.0.0" } }],
  ])("when the lock file wants %s", (_what, packages) => {
    const root = installedTree();
    writeFileSync(join(root, "package-lock.json"), lock(packages));
    expect(reasonToInstall(root)).toBe("node_modules is older than package-lock.json");
  });

  test("not when only the times differ, as after a checkout", () => {
    const root = installedTree();
    utimesSync(join(root, "node_modules/.package-lock.json"), 1, 1);
    expect(reasonToInstall(root)).toBeUndefined();
  });

  test("also when the times say that a node_modules that does not fit is newer", () => {
    const root = installedTree();
    writeFileSync(join(root, "package-lock.json"), lock({ "node_modules/alpha": { version: "2.0.0" } }));
    utimesSync(join(root, "package-lock.json"), 1, 1);
    expect(reasonToInstall(root)).toBe("node_modules is older than package-lock.json");
  });
});

describe("the version of Node", () => {
  test.each(["20.17.0", "20.20.2", "21.0.0", "22.1.0", "100.0.0"])("%s is new enough", (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  test.each(["20.16.9", "20.9.0", "18.20.4", "9.11.2"])("%s is refused in one line", (version) => {
    expect(nodeProblem(version)).toMatch(/^flower needs Node 20\.17 or newer; this is Node .+$/);
  });

  test("the script asks for what package.json declares", () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(engines.node).toBe(">=20.17");
  });
});

describe("how npm is started", () => {
  const tree = () =>
    temporaryTree({ "npm-cli.js": "", "node_modules/npm/bin/npm-cli.js": "", "yarn.js": "" });

  test("with the npm that runs the script", () => {
    const running = join(tree(), "npm-cli.js");
    const command = npmCommand({ env: { npm_execpath: running }, platform: "win32", execPath: "node.exe" });
    expect(command).toEqual({ file: "node.exe", args: [running], shell: false });
  });

  test("never with another package manager", () => {
    const env = { npm_execpath: join(tree(), "yarn.js") };
    expect(npmCommand({ env, platform: "linux", execPath: "node" })).toEqual({
      file: "npm",
      args: [],
      shell: false,
    });
  });

  test("on Windows with npm's own script beside node, without a shell", () => {
    const root = tree();
    const command = npmCommand({ env: {}, platform: "win32", execPath: join(root, "node.exe") });
    expect(command.args).toEqual([join(root, "node_modules/npm/bin/npm-cli.js")]);
    expect(command.shell).toBe(false);
  });
});

/** The script in a tree of its own, with a stand-in for npm that notes its arguments and ends with `code`. */
function runScript(options: { installed: boolean; npmEndsWith: number }) {
  const root = options.installed ? installedTree() : temporaryTree({ "package-lock.json": lock(LOCKED) });
  for (const script of ["ensure-installed.mjs", "npm-command.mjs"]) {
    cpSync(join(ROOT, "scripts", script), join(root, "scripts", script));
  }
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$@" > npm-was-called\nexit ${options.npmEndsWith}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const ended = spawnSync(process.execPath, [join(root, "scripts", "ensure-installed.mjs")], {
    cwd: bin,
    env: { PATH: `${bin}:/usr/bin:/bin` },
    encoding: "utf8",
  });
  const note = join(root, "npm-was-called");
  return { ...ended, npmArgs: existsSync(note) ? readFileSync(note, "utf8").trim() : undefined };
}

describe.skipIf(process.platform === "win32")("the script", () => {
  test("says nothing and starts nothing when all is there", () => {
    const { status, stdout, stderr, npmArgs } = runScript({ installed: true, npmEndsWith: 0 });
    expect({ status, stdout, stderr, npmArgs }).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
      npmArgs: undefined,
    });
  });

  test("says in one line why it installs, and installs from the lock file, in the repository", () => {
    const { status, stderr, npmArgs } = runScript({ installed: false, npmEndsWith: 0 });
    expect(status).toBe(0);
    expect(stderr).toBe("flower: node_modules is absent, so its packages are installed first (npm ci)\n");
    expect(npmArgs).toMatch(/^ci /);
  });

  test("ends with npm's exit code when the install fails", () => {
    const { status, stderr } = runScript({ installed: false, npmEndsWith: 17 });
    expect(status).toBe(17);
    expect(stderr).toContain("npm ci failed");
  });
});
