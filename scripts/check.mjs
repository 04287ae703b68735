/**
 * `npm run check`: every `check:…` script of package.json in its order, one line each with its time. The first
 * one that fails shows its tool's own output and ends the run with its exit code.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand } from "./npm-command.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const npm = npmCommand();

for (const name of Object.keys(scripts).filter((script) => script.startsWith("check:"))) {
  const label = name.slice("check:".length).padEnd(14);
  const began = performance.now();
  const ended = spawnSync(npm.file, [...npm.args, "run", "--silent", name], {
    cwd: root,
    shell: npm.shell,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = `${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s`;
  if (ended.status === 0) {
    console.log(`ok    ${label}${seconds}`);
    continue;
  }
  process.stdout.write(ended.stdout ?? "");
  process.stderr.write(ended.stderr ?? "");
  if (ended.error !== undefined) console.error(ended.error.message);
  console.log(`FAIL  ${label}${seconds}   (npm run ${name})`);
  process.exitCode = ended.status ?? 1;
  break;
}
