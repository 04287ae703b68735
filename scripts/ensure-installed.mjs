/**
 * Makes sure that node_modules is what package-lock.json says before anything else runs, so that the README's
 * commands work in a fresh clone. Node built-ins only: this is the one file that runs before the install.
 *
 * Contract: silent when there is nothing to do; otherwise one line that says what it does and why, then npm's
 * own output. Exits with npm's code when the install fails, and with 1 on a Node that is too old.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand } from "./npm-command.mjs";

/** The oldest Node that runs flower: `engines` in package.json. */
const OLDEST_NODE = { major: 20, minor: 17 };

/**
 * Why this version of Node cannot run flower, or undefined when it can.
 * @param {string} version as `process.versions.node` gives it
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST_NODE.major) return undefined;
  if (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor) return undefined;
  return `flower needs Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer; this is Node ${version}. Install a newer one, for example with "nvm install".`;
}

/**
 * Why the packages under `root` have to be installed, or undefined when they are all there.
 *
 * What npm noted about its last install (node_modules/.package-lock.json, which it writes last) is compared with
 * the lock file by content. Times would mislead in both directions: a checkout makes an unchanged lock file new,
 * and a copied node_modules is newer than the lock file that it does not fit.
 * @param {string} root
 * @returns {string | undefined}
 */
export function reasonToInstall(root) {
  const wanted = packagesIn(join(root, "package-lock.json"));
  if (wanted === undefined) return "package-lock.json cannot be read";
  if (!existsSync(join(root, "node_modules"))) return "node_modules is absent";
  const installed = packagesIn(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return "node_modules is incomplete";

  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "") continue;
    const found = installed[path];
    // An optional package for another platform is in the lock file and never in node_modules.
    if (found === undefined && entry.optional === true) continue;
    if (found === undefined || found.version !== entry.version || found.integrity !== entry.integrity) {
      return "node_modules is older than package-lock.json";
    }
    if (!existsSync(join(root, path))) return "node_modules is incomplete";
  }
  return undefined;
}

/**
 * The `packages` of a lock file, or undefined when there is no such file or it is not one.
 * @param {string} path
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Installs what is missing.
 * @param {string} root
 * @returns {number} the exit code: 0 when everything is there now
 */
function ensureInstalled(root) {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  const reason = reasonToInstall(root);
  if (reason === undefined) return 0;

  console.error(`flower: ${reason}, so its packages are installed first (npm ci)`);
  const npm = npmCommand();
  // The development packages run the tests and the demo, also where NODE_ENV=production would leave them out.
  const args = [...npm.args, "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const ended = spawnSync(npm.file, args, {
    cwd: root,
    shell: npm.shell,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (ended.error !== undefined) {
    console.error(
      `flower: npm could not be started (${ended.error.message}); it comes with Node, see nodejs.org`,
    );
    return 1;
  }
  if (ended.status !== 0) console.error("flower: npm ci failed, see above; nothing else was started");
  return ended.status ?? 1;
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === self) {
  process.exitCode = ensureInstalled(dirname(dirname(self)));
}
