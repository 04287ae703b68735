import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { QUERY_MARKER } from "../agent/environment.ts";
import { killUntilGone, markedProcesses } from "../agent/processes.ts";
import type { Clock } from "../base/clock.ts";
import type { Env } from "../config/env.ts";

/** How long the command of a check may take, in milliseconds: the longest that the CLI gives a command (2.1.332). */
export const COMMAND_LIMIT_MS = 600_000;
/** Characters of the output that are kept, its last ones: where test runners say what failed. */
const TAIL_CHARS = 4_000;

/** How long what was printed may take to arrive when nothing runs any more, in milliseconds. */
const DRAIN_MS = 1_000;

export interface CommandRun {
  readonly command: string;
  /** Null when it was killed, or could not be started. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The end of what it printed, both streams as they came. Anything may stand in it. */
  readonly tail: string;
  /** Milliseconds. */
  readonly tookMs: number;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Env;
  readonly clock: Clock;
  /** Milliseconds. Default 10 minutes. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one command line with bash, without input and without credentials, and ends what it leaves running.
 *
 * Contract: how it ends is the result; rejects only when the signal aborts, when nothing of it runs any more.
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandRun> {
  const { cwd, env, clock, limitMs = COMMAND_LIMIT_MS, signal } = options;
  signal?.throwIfAborted();
  const marker = randomUUID();
  const startedAt = clock.now();
  let tail = "";
  const child = spawn("bash", ["-c", command], {
    cwd,
    env: { ...withoutCredentials(env), [QUERY_MARKER]: marker },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const keep = (text: string): void => {
    tail = `${tail}${text}`.slice(-TAIL_CHARS).replace(/^[\uDC00-\uDFFF]/, "");
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
  const killAll = async (): Promise<void> => {
    child.kill("SIGKILL");
    await killUntilGone(() => markedProcesses(QUERY_MARKER, marker), clock);
  };
  const limit = new AbortController();
  const exited = new Promise<number | null>((done) => {
    child.once("error", (error) => {
      keep(error.message);
      done(null);
    });
    // Not `close`: a server that it leaves running holds the pipes open.
    child.once("exit", (code) => done(code));
  });
  const closed = new Promise<void>((done) => {
    child.once("close", () => done());
  });
  const late = clock.sleep(limitMs, limit.signal).then(
    () => "late" as const,
    () => "late" as const,
  );
  const onAbort = (): void => limit.abort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const first = await Promise.race([exited, late]);
    const timedOut = first === "late" && signal?.aborted !== true;
    await killAll();
    // With everything gone that could hold the pipes, the rest of the output comes at once.
    await Promise.race([closed, clock.sleep(DRAIN_MS, signal)]);
    signal?.throwIfAborted();
    const exitCode = first === "late" ? null : first;
    return { command, exitCode, timedOut, tail, tookMs: clock.now() - startedAt };
  } finally {
    signal?.removeEventListener("abort", onAbort);
    limit.abort();
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
}

/** Who pays, and by what key, is no business of the work that is judged. */
function withoutCredentials(env: Env): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:ANTHROPIC|CLAUDE)_/.test(name)));
}
