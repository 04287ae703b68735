/**
 * What no other tool checks about this repository: each function below is one rule and returns its findings.
 *
 * Usage: node scripts/check-house.mjs [directory]
 */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));

/** @typedef {{ path: string, text: string }} Source */

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), "utf8");

/**
 * Every text file that git knows or would add.
 * @returns {Source[]}
 */
function sources() {
  const git = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (git.status !== 0) throw new Error(`git ls-files failed: ${git.error?.message ?? git.stderr}`);
  return git.stdout
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)) && lstatSync(join(root, path)).isFile())
    .map((path) => ({ path, text: read(path) }))
    .filter(({ text }) => !text.includes("\0"));
}

/** Users that examples may be about. Anybody else is somebody's machine. */
const SAMPLE_USERS = ["user", "me", "you", "ada", "alice", "dev", "somebody"];
const MACHINE_PATH = /(?<![\w.@~*-])\/(?:home|Users|root|work)\/([\w.-]+)/g;
const REGISTRY_HOST =
  /\bregistry[.][\w-]+[.]\w+|\bnpmmirror[.]\w+|\/\/[\w.-]*(?:artifactory|nexus|verdaccio)[\w.-]*\//gi;

/**
 * Nothing names a machine, or the host that packages come from.
 * @param {Source[]} files
 */
function machineTraces(files) {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const paths = [...line.matchAll(MACHINE_PATH)].filter(([, name = ""]) => !SAMPLE_USERS.includes(name));
      return [...paths, ...line.matchAll(REGISTRY_HOST)].map(
        ([found]) => `${path}:${index + 1}: names ${found}`,
      );
    }),
  );
}

/** The lock file installs from whichever registry the user has: it holds integrity hashes, no addresses. */
function lockFileHosts() {
  /** @type {{ packages: Record<string, { resolved?: string, link?: boolean }> }} */
  const { packages } = JSON.parse(read("package-lock.json"));
  return Object.entries(packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([name]) => `package-lock.json: ${name} has "resolved"; .npmrc should have kept it out`);
}

/** Every dependency has its line in the table that says why, and every line its dependency. */
function unexplainedDependencies() {
  const page = "docs/decisions/dependencies.md";
  const explained = [...read(page).matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = ""]) => name);
  /** @type {{ dependencies: Record<string, string>, devDependencies: Record<string, string> }} */
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const used = Object.entries({ ...dependencies, ...devDependencies });
  return [
    ...used.filter(([name]) => !explained.includes(name)).map(([name]) => `${page}: no line for ${name}`),
    ...explained
      .filter((name) => used.every(([u]) => u !== name))
      .map((name) => `${page}: ${name} is not used`),
    ...used
      .filter(([, version]) => !/^\d/.test(version))
      .map(([name]) => `package.json: ${name} is not pinned`),
  ];
}

/**
 * Relative links in Markdown lead somewhere.
 * @param {Source[]} files
 */
function deadLinks(files) {
  return files
    .filter(({ path }) => path.endsWith(".md") && !path.startsWith("test/fixtures/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)]
        .filter(([, link = ""]) => !existsSync(join(root, dirname(path), link)))
        .map(([, link]) => `${path}: link to ${link}, which does not exist`),
    );
}

/** The two READMEs have the same sections, so that neither falls behind unnoticed. */
function unevenReadmes() {
  /** @param {string} path */
  const sections = (path) => (read(path).match(/^## /gm) ?? []).length;
  const [en, zh] = [sections("README.md"), sections("README.zh.md")];
  return en === zh ? [] : [`README.md has ${en} sections, README.zh.md has ${zh}`];
}

const files = sources();
const findings = [
  ...machineTraces(files),
  ...lockFileHosts(),
  ...unexplainedDependencies(),
  ...deadLinks(files),
  ...unevenReadmes(),
];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log(`${files.length} files, nothing to complain about`);
