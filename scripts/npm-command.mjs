import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * How to start npm on this platform.
 *
 * On Windows npm is a batch file, which Node starts only through a shell. So npm's own script is started with
 * this Node wherever it is known: from the npm that runs us, or beside node.exe. The shell is the last resort
 * there; callers therefore pass constant arguments only.
 * @param {{ env?: Record<string, string | undefined>, platform?: string, execPath?: string }} [world]
 * @returns {{ file: string, args: string[], shell: boolean }}
 */
export function npmCommand({
  env = process.env,
  platform = process.platform,
  execPath = process.execPath,
} = {}) {
  // Set by whichever package manager runs the script; only npm understands our arguments.
  const running = env.npm_execpath;
  if (running !== undefined && basename(running) === "npm-cli.js" && existsSync(running)) {
    return { file: execPath, args: [running], shell: false };
  }
  if (platform !== "win32") return { file: "npm", args: [], shell: false };
  const beside = join(dirname(execPath), "node_modules", "npm", "bin", "npm-cli.js");
  if (existsSync(beside)) return { file: execPath, args: [beside], shell: false };
  return { file: "npm.cmd", args: [], shell: true };
}
