import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** The command as it is run from a checkout. */
const MAIN = resolve(import.meta.dirname, "../../src/cli/main.ts");
const TSX = resolve(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs");

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
}

/** Starts `flower` with the given arguments, in the given directory and environment and nothing else. */
export function startFlower(
  args: readonly string[],
  world: { cwd: string; env: Readonly<Record<string, string>>; input?: string },
): FlowerProcess {
  const child = spawn(process.execPath, ["--import", TSX, MAIN, ...args], {
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
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => child.kill(signal),
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
}

/** An environment without anything of the machine's owner in it. */
export function bareEnv(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", NO_COLOR: "1", ...extra };
}
