import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { Clock } from "../base/clock.ts";

/**
 * The processes behind a query. Every tool call of the CLI is a session and process group of its own, so
 * killing the CLI, or its group, reaches nothing but the CLI (HARNESS 13.7). What all of them share is the
 * environment they inherit: a marker in it finds them.
 */

export interface MarkedProcess {
  readonly pid: number;
  /** Environment of the process when it started. */
  readonly env: ReadonlyMap<string, string>;
}

/**
 * Starts the CLI in a process group of its own, so that a Ctrl-C at the terminal reaches flower alone and
 * flower decides what it means. `crash` is called when it was killed or failed, before the SDK cleans up behind it.
 */
export function spawnCli(
  options: SpawnOptions,
  on: { readonly stderr: (text: string) => void; readonly crash: () => void },
): SpawnedProcess {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    signal: options.signal,
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", on.stderr);
  // Before the SDK hears of it, which listens later.
  child.once("exit", (code) => {
    if (code !== 0) on.crash();
  });
  return child;
}

/**
 * Every process of this user whose environment holds `name`, with `value` if one is given. Linux reads
 * `/proc`; elsewhere the list is empty, and what survives a kill is not found.
 */
export function markedProcesses(name: string, value?: string): MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const pid of processIds()) {
    const env = environmentOf(pid);
    const held = env.get(name);
    if (held !== undefined && (value === undefined || held === value)) found.push({ pid, env });
  }
  return found;
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): ReadonlyMap<string, string> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((pair) => pair.includes("="));
    return new Map(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    // Gone meanwhile, or not ours to read: then it is not one we started.
    return new Map();
  }
}

/**
 * `<pid>:<start time>` of a process, which no later process can have too; undefined when there is none.
 * The start time is field 22 of `/proc/<pid>/stat`; without `/proc` only the pid is told.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command in field 2 may hold spaces and parentheses: fields are counted from the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : `${pid}:${fields[19] ?? ""}`;
  } catch {
    try {
      process.kill(pid, 0);
      return process.platform === "linux" ? undefined : `${pid}:`;
    } catch {
      return undefined;
    }
  }
}

/** Sends SIGKILL to `pid`; a process that is already gone is what we wanted. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ESRCH: gone. EPERM cannot happen for a process whose environment we could read.
  }
}

const RESCANS = 20;
const RESCAN_WAIT_MS = 25;

/**
 * Kills what `find` returns until it returns nothing: a process may start another between the look and the
 * kill. Returns the pids that were killed. Gives up after half a second.
 */
export async function killUntilGone(find: () => readonly MarkedProcess[], clock: Clock): Promise<number[]> {
  const killed = new Set<number>();
  for (let scan = 0; scan < RESCANS; scan += 1) {
    const found = find();
    if (found.length === 0) break;
    for (const { pid } of found) {
      killProcess(pid);
      killed.add(pid);
    }
    await clock.sleep(RESCAN_WAIT_MS);
  }
  return [...killed];
}
