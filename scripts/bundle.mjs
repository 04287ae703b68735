/**
 * src/ as a few JavaScript files: the command, the library and `flower-agent/testing`, with what they share in chunks.
 * Dependencies stay imports. Loading 250 small modules takes longer than everything that flower does before it
 * starts the CLI (docs/decisions/2026-12-01-a-bundle-of-our-own-code.md).
 */
import { chmodSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = ["cli/main", "index", "testing/index"];

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
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    // A build that only warns would be published.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await bundled.write({
    dir: resolve(directory),
    format: "esm",
    sourcemap: true,
    chunkFileNames: "chunks/[name].js",
  });
  await bundled.close();
  const command = join(directory, "cli", "main.js");
  chmodSync(command, 0o755);
  return command;
}
