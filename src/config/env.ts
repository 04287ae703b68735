import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, sep } from "node:path";
import { packageRoot } from "../base/package-root.ts";

/** Environment variables as everybody but this file gets them: passed in, never written to. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The endpoint when `ANTHROPIC_BASE_URL` is not set. */
export const DEFAULT_BASE_URL = "https://api.anthropic.com";

/** Arms a fault point of this process (`armFaultPoint`); for tests of flower itself. */
export const FAULT_VARIABLE = "FLOWER_FAULT_POINT";

/** A copy of the process's own environment, taken now. Contract: the only reader of `process.env` in the house. */
export function processEnv(): Env {
  return Object.freeze({ ...process.env });
}

/** The value of `key`, or undefined when it is missing or blank: a blank value never claims a key (SPEC 20.3). */
export function valueOf(env: Env, key: string): string | undefined {
  // A key named like a member of every object ("constructor") is no value.
  const value = Object.hasOwn(env, key) ? env[key] : undefined;
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** The directory flower was started in. */
export function currentDirectory(): string {
  return process.cwd();
}

/** The user's home directory: `HOME`, else `USERPROFILE`, else what the system's user database says. */
export function homeDirectory(env: Env): string {
  return valueOf(env, "HOME") ?? valueOf(env, "USERPROFILE") ?? homedir();
}

/**
 * Where flower keeps what belongs to a person and not to a project: `$XDG_CONFIG_HOME/flower`, else
 * `<home>/.config/flower`. A relative `XDG_CONFIG_HOME` is ignored, as the XDG base directory specification asks.
 */
export function configDirectory(env: Env, home: string = homeDirectory(env)): string {
  const xdg = valueOf(env, "XDG_CONFIG_HOME");
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, ".config");
  return join(base, "flower");
}

/**
 * `root`, if it is the checkout that flower runs from, whose `.env` a developer of flower may use; undefined for an
 * installed package.
 */
export function sourceCheckout(root: string = packageRoot()): string | undefined {
  const installed = root.split(sep).includes("node_modules");
  return !installed && existsSync(join(root, ".git")) ? root : undefined;
}
