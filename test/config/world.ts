import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Env } from "../../src/config/env.ts";
import { type LoadedEnvironment, loadEnvironment } from "../../src/config/load-environment.ts";

/** A machine with a home, a project and a checkout, all of them in one temporary directory. */
export interface World {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly checkout: string;
  /** Writes a file below the root and returns its path. */
  readonly write: (path: string, content: string | Buffer) => string;
  readonly load: (env?: Env, extra?: { explicitFile?: string }) => LoadedEnvironment;
}

export function makeWorld(): World {
  const root = mkdtempSync(join(tmpdir(), "flower-config-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, cwd, checkout] = ["home", "project", "checkout"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const write = (path: string, content: string | Buffer): string => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  };
  const load = (env: Env = {}, extra: { explicitFile?: string } = {}): LoadedEnvironment =>
    loadEnvironment({ env, cwd, home, checkout, ...extra });
  return { root, home, cwd, checkout, write, load };
}
