import { join, resolve } from "node:path";
import { FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { CREDENTIAL_KEYS, PROCESS_ORIGIN, SECRET_KEYS } from "./credential-keys.ts";
import {
  configDirectory,
  currentDirectory,
  type Env,
  homeDirectory,
  processEnv,
  sourceCheckout,
  valueOf,
} from "./env.ts";
import { messageLang } from "./language.ts";
import type { ConfigNotice } from "./notices.ts";
import { readClaudeSettings, readEnvFile, type Source } from "./sources.ts";

export interface LoadOptions {
  /** The process's environment; it always wins. */
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  /** Read this file and nothing else: no automatic lookup, nothing borrowed from Claude Code. */
  readonly explicitFile?: string | undefined;
  /** Root of the checkout flower runs from, if it does (`sourceCheckout`). */
  readonly checkout?: string | undefined;
  /** Of what is thrown. Default: that of the environment, since no directory is known yet. */
  readonly lang?: Lang | undefined;
}

export interface LoadedEnvironment {
  /** `env` with the gaps filled; a new object. */
  readonly env: Env;
  /** Where each of the nine credential keys that has a value came from: `PROCESS_ORIGIN` or a file's path. */
  readonly origin: Readonly<Record<string, string>>;
  /** What could not be used, and what looks wrong, in the order found. See `describeNotice`. */
  readonly notices: readonly ConfigNotice[];
}

/**
 * Fills what the process's environment leaves open, key by key, from the first place that has a value (SPEC 16):
 * `$FLOWER_ENV`, `<cwd>/.env`, `<config>/flower/.env`, the checkout's `.env`, Claude Code's settings.
 *
 * Contract: writes nothing, `process.env` included. A file that cannot be read or understood becomes a notice;
 * only one that was asked for by name and is not there throws (`config/env-file-missing`).
 */
export function loadEnvironment(options: LoadOptions): LoadedEnvironment {
  const sources =
    options.explicitFile === undefined ? automatic(options) : only(options.explicitFile, options);
  const merged: Record<string, string | undefined> = { ...options.env };
  const origin = new Map<string, string>();
  for (const key of CREDENTIAL_KEYS) if (valueOf(merged, key) !== undefined) origin.set(key, PROCESS_ORIGIN);
  for (const source of sources) fillGaps(merged, origin, source);
  return {
    env: Object.freeze(merged),
    origin: Object.freeze(Object.fromEntries(origin)),
    notices: [
      ...sources.flatMap((source) => source.notices),
      ...foreignEndpoint(origin, resolve(options.cwd, ".env")),
    ],
  };
}

/**
 * What a flower that is started here and now would have: `env` (default: the process's) and the files around it.
 * Throws what `loadEnvironment` throws.
 */
export function surroundingEnvironment(env: Env = processEnv()): LoadedEnvironment {
  return loadEnvironment({
    env,
    cwd: currentDirectory(),
    home: homeDirectory(env),
    checkout: sourceCheckout(),
  });
}

function only(file: string, options: LoadOptions): readonly Source[] {
  return [named(resolve(options.cwd, file), options)];
}

function automatic(options: LoadOptions): readonly Source[] {
  const { env, cwd, home, checkout } = options;
  const asked = valueOf(env, "FLOWER_ENV");
  const claude = join(home, ".claude");
  const first = asked === undefined ? [] : [resolve(cwd, asked)];
  const usual = [resolve(cwd, ".env"), join(configDirectory(env, home), ".env")];
  const last = checkout === undefined ? [] : [resolve(checkout, ".env")];
  const files = new Set([...usual, ...last]);
  return [
    ...first.map((file) => named(file, options)),
    ...[...files].filter((file) => !first.includes(file)).flatMap((file) => readEnvFile(file) ?? []),
    ...["settings.json", "settings.local.json"].flatMap(
      (name) => readClaudeSettings(join(claude, name)) ?? [],
    ),
  ];
}

/** A file that somebody asked for by name: going on without it would use other credentials than they meant. */
function named(path: string, { env, lang = messageLang(env) }: LoadOptions): Source {
  const source = readEnvFile(path);
  if (source !== undefined) return source;
  const say = CONFIG_MESSAGES[lang];
  throw new FlowerError("config/env-file-missing", say.noEnvFile(path), { hint: say.noEnvFileHint });
}

function fillGaps(
  merged: Record<string, string | undefined>,
  origin: Map<string, string>,
  source: Source,
): void {
  for (const [key, value] of source.values) {
    if (value.trim() === "" || valueOf(merged, key) !== undefined) continue;
    merged[key] = value;
    if (CREDENTIAL_KEYS.some((known) => known === key)) origin.set(key, source.path);
  }
}

/**
 * Keys are looked up one by one, so that a project may name its own endpoint and use the person's credential.
 * The same lets a cloned project have that credential sent to an address of its own: never without a word.
 */
function foreignEndpoint(origin: ReadonlyMap<string, string>, projectFile: string): readonly ConfigNotice[] {
  if (origin.get("ANTHROPIC_BASE_URL") !== projectFile) return [];
  const secret = SECRET_KEYS.map((key) => origin.get(key)).find(
    (from) => from !== undefined && from !== projectFile,
  );
  return secret === undefined ? [] : [{ kind: "endpoint-from-elsewhere", path: projectFile, detail: secret }];
}
