/** `npm run build`: src/ to dist/, the bundle with its types, and an executable `flower`. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const command = await bundle(join(root, "dist"));
if (!readFileSync(command, "utf8").startsWith("#!/usr/bin/env node\n")) {
  console.error(
    "dist/cli/main.js does not begin with #!/usr/bin/env node; put that line first in src/cli/main.ts",
  );
  process.exit(1);
}

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const ended = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = ended.status ?? 1;
