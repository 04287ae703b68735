/**
 * Who may import whom: dependency-cruiser with the rules of .dependency-cruiser.cjs.
 *
 * Its own exit code is not enough. When it cannot load the TypeScript compiler (seen with TypeScript 7) it reads
 * no module, or no import of any, finds no violation and passes; so what it has read is counted here.
 *
 * Usage: node scripts/check-architecture.mjs [directory]
 */
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Fewer modules than this means that the tool is blind, not that the house is small. */
const FEWEST_MODULES = 20;

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(process.argv[2] ?? here);
const cli = join(here, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
const args = ["src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"];

const ended = spawnSync(process.execPath, [cli, ...args], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe"],
  maxBuffer: 256 * 1024 * 1024,
});

/** @type {{ modules: { source: string, dependencies: unknown[] }[], summary: { violations: Violation[] } }} */
const report = parse(ended.stdout);
/** @typedef {{ from: string, to: string, rule: { name: string }, cycle?: { name: string }[] }} Violation */

const modules = report.modules.filter(({ source }) => source.startsWith("src/"));
const imports = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
const problems = report.summary.violations.map(describe);
if (modules.length < FEWEST_MODULES || imports === 0) {
  problems.push(
    `only ${modules.length} modules with ${imports} imports were read, at least ${FEWEST_MODULES} are expected: is the TypeScript compiler one that dependency-cruiser knows?`,
  );
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${modules.length} modules, ${imports} imports, no violation`);

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    console.error(`dependency-cruiser gave no report:\n${ended.stderr}${ended.stdout}`);
    process.exit(1);
  }
}

/** @param {Violation} violation */
function describe({ rule, from, to, cycle }) {
  const path = cycle === undefined ? to : cycle.map(({ name }) => name).join(" -> ");
  return `${rule.name}: ${from} -> ${path}`;
}
