import { spawn } from "node:child_process";
import { OWNER_MARKER } from "../../src/agent/environment.ts";
import { killUntilGone, markedProcesses, processIdentity } from "../../src/agent/processes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { COMMAND } from "./built-command.ts";
import { LARGE_PAGES } from "./large-pages.ts";

export interface FlowerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FlowerProcess {
  readonly pid: number;
  readonly ended: Promise<FlowerExit>;
  /** Resolves when `text` has been printed; rejects when the process ends without it. */
  printed(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Whoever read what it prints goes away, as `head` does. */
  stopReading(): void;
}

/** Every flower started here, with the identity by which its CLIs know it, until `endFlowers`. */
const started = new Map<FlowerProcess, string | undefined>();

/** Ends what a test left running, the CLIs of a flower that was killed included. Belongs into `afterEach`. */
export async function endFlowers(): Promise<void> {
  for (const [flower, identity] of started) {
    flower.kill("SIGKILL");
    await flower.ended;
    if (identity !== undefined)
      await killUntilGone(() => markedProcesses(OWNER_MARKER, identity), systemClock);
  }
  started.clear();
}

/** Starts `flower` with the given arguments, in the given directory and environment and nothing else. */
export function startFlower(
  args: readonly string[],
  world: { cwd: string; env: Readonly<Record<string, string>>; input?: string },
): FlowerProcess {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: world.cwd,
    env: { ...world.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const watch of watchers) watch();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(world.input ?? "");
  const ended = new Promise<FlowerExit>((done) => {
    child.on("close", (code, signal) => done({ code, signal, stdout, stderr }));
  });
  const pid = child.pid ?? 0;
  const flower: FlowerProcess = {
    pid,
    ended,
    kill: (signal) => child.kill(signal),
    stopReading: () => child.stdout.destroy(),
    printed: (text) =>
      new Promise((found, missing) => {
        const watch = (): void => {
          if (!stdout.includes(text)) return;
          watchers.delete(watch);
          found();
        };
        watchers.add(watch);
        watch();
        void ended.then((end) =>
          missing(new Error(`ended without printing ${text}: ${end.stdout}${end.stderr}`)),
        );
      }),
  };
  started.set(flower, processIdentity(pid));
  return flower;
}

/** Nobody listens here: a test that plays no model cannot reach a real one, whatever credentials lie about. */
const NOWHERE = "http://127.0.0.1:1";

/** An environment without anything of the machine's owner in it. */
export function bareEnv(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    ANTHROPIC_BASE_URL: NOWHERE,
    ...LARGE_PAGES,
    ...extra,
  };
}
