/** `npm run build`: src/ to dist/ with tsc alone, and an executable `flower`. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "dist", "cli", "main.js");

// Nothing that was deleted from src/ may survive in a package.
rmSync(join(root, "dist"), { recursive: true, force: true });

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const ended = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (ended.status !== 0) process.exit(ended.status ?? 1);

if (!readFileSync(bin, "utf8").startsWith("#!/usr/bin/env node\n")) {
  console.error(
    "dist/cli/main.js does not begin with #!/usr/bin/env node; put that line first in src/cli/main.ts",
  );
  process.exit(1);
}
chmodSync(bin, 0o755);
