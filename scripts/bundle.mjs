/**
 * src/ as a few JavaScript files: the command, the library and `flower-agent/testing`, with what they share in chunks,
 * and the small libraries that every start needs. Loading hundreds of small modules takes longer than everything that
 * flower does before it starts the CLI (docs/decisions/2026-12-01-small-libraries-in-the-bundle.md).
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = ["cli/main", "index", "testing/index"];
/** Plain ES modules (and commander) without files of their own to find at run time; their own dependencies come along. */
const INLINED = [
  "commander",
  "dotenv",
  "nano-spawn",
  "picocolors",
  "string-width",
  "unbash",
  "wrap-ansi",
  "zod",
];
const MODULES = `${sep}node_modules${sep}`;

/**
 * Writes the bundle into a directory, which is emptied first, and returns the path of the command.
 * @param {string} directory
 * @returns {Promise<string>}
 */
export async function bundle(directory) {
  rmSync(directory, { recursive: true, force: true });
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, "src", `${entry}.ts`)])),
    platform: "node",
    external: isExternal,
    // A build that only warns would be published.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await bundled.write({
    dir: resolve(directory),
    format: "esm",
    sourcemap: true,
    // Less to read at every start; names stay, so that a stack trace can be read without the maps.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    chunkFileNames: "chunks/[name].js",
  });
  await bundled.close();
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  writeFileSync(join(directory, "third-party-licences.txt"), licences(modules));
  const command = join(directory, "cli", "main.js");
  chmodSync(command, 0o755);
  return command;
}

/**
 * @param {string} id
 * @param {string | undefined} importer
 */
function isExternal(id, importer) {
  if (id.startsWith(".") || isAbsolute(id)) return false;
  if (isBuiltin(id)) return true;
  return !INLINED.includes(id) && !(importer ?? "").includes(MODULES);
}

/**
 * The licence of every package that has a module in the bundle: its authors ask that the text travels along.
 * @param {readonly string[]} modules paths
 */
function licences(modules) {
  const packages = new Set(modules.flatMap((path) => packageOf(path) ?? []));
  return [...packages].sort().map(licence).join("\n\n");
}

/** @param {string} path of a module; the directory of its package is returned, if it is not ours */
function packageOf(path) {
  const at = path.lastIndexOf(MODULES);
  if (at === -1) return undefined;
  const [scope = "", name = ""] = path.slice(at + MODULES.length).split(sep);
  return path.slice(0, at) + MODULES + (scope.startsWith("@") ? join(scope, name) : scope);
}

/** @param {string} directory */
function licence(directory) {
  const { name, version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file; it cannot be part of the bundle`);
  return `${name} ${version}\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
}
