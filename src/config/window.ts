import { join } from "node:path";
import { z } from "zod";
import { type Clock, systemClock } from "../base/clock.ts";
import { FlowerError } from "../base/errors.ts";
import { readTextIfExists, setAside, withFileLock, writeTextAtomic } from "../base/files.ts";
import type { Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { WINDOW_MESSAGES } from "../lang/messages/window.ts";
import { configDirectory, DEFAULT_BASE_URL, type Env, processEnv, valueOf } from "./env.ts";
import { messageLang } from "./language.ts";

const LARGE_WINDOW_TOKENS = 1_000_000;
/** Haiku models have this window whatever their version (SPEC 7). */
const HAIKU_WINDOW_TOKENS = 200_000;

/** No model that calls tools has less, and none has more (2026): anything else is a mistake, or somebody's joke. */
const LEAST_WINDOW_TOKENS = 16_000;
const MOST_WINDOW_TOKENS = 20_000_000;

/** Whether a model may have such a window. */
export function isPlausibleWindow(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= LEAST_WINDOW_TOKENS && tokens <= MOST_WINDOW_TOKENS;
}

/**
 * The context window to plan with, in tokens: `FLOWER_WINDOW`; else what an earlier overflow taught about this
 * endpoint and model; else by the model's name. Throws `config/bad-window` for a `FLOWER_WINDOW` that is no number,
 * in `lang`.
 */
export function defaultWindow(env: Env = processEnv(), lang: Lang = messageLang(env)): number {
  const chosen = valueOf(env, "FLOWER_WINDOW");
  if (chosen !== undefined) return windowOf(chosen, lang);
  const key = windowKey(env);
  return learntWindow(key) ?? windowByName(key.model);
}

/** Under what the window of the model that `env` asks for is learnt; `model` where a spec asks for another one. */
export function windowKey(env: Env, model?: string): WindowKey {
  const asked =
    model ?? valueOf(env, "ANTHROPIC_MODEL") ?? valueOf(env, "ANTHROPIC_DEFAULT_OPUS_MODEL") ?? "";
  return { env, baseUrl: valueOf(env, "ANTHROPIC_BASE_URL") ?? DEFAULT_BASE_URL, model: asked };
}

/** One line for `-v`: the window that is planned with, and where its number comes from. Throws as `defaultWindow`. */
export function describeWindow(tokens: number, env: Env, lang: Lang): string {
  const say = WINDOW_MESSAGES[lang];
  const key = windowKey(env);
  if (tokens !== defaultWindow(env, lang)) return say.window(tokens, say.given);
  if (valueOf(env, "FLOWER_WINDOW") !== undefined) return say.window(tokens, "FLOWER_WINDOW");
  const isLearnt = learntWindow(key) !== undefined;
  return say.window(tokens, isLearnt ? say.learnt(windowsPath(env)) : say.byName(key.model));
}

function windowOf(text: string, lang: Lang): number {
  const tokens = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  const say = CONFIG_MESSAGES[lang];
  throw new FlowerError("config/bad-window", say.badWindow(text), { hint: say.badWindowHint });
}

/** `1m` counts only as a token of its own: `claude-x[1m]` has it, `claude-x-21m` has not. */
function windowByName(model: string): number {
  if (/(?<![a-z0-9])1m(?![a-z0-9])/i.test(model)) return LARGE_WINDOW_TOKENS;
  return /haiku/i.test(model) ? HAIKU_WINDOW_TOKENS : LARGE_WINDOW_TOKENS;
}

/** Which model behind which endpoint. `env` says where the file lies. */
export interface WindowKey {
  readonly env: Env;
  readonly baseUrl: string;
  /** Empty when the CLI chose its own default. */
  readonly model: string;
  /** Of what is thrown. Default: that of the environment. */
  readonly lang?: Lang | undefined;
}

/** The format of `windows.json`. Version 1: the first. */
const VERSION = 1;
const windowsFile = z.object({
  version: z.literal(VERSION),
  windows: z.array(z.object({ base_url: z.string(), model: z.string(), tokens: z.int().positive() })),
});
type Windows = z.infer<typeof windowsFile>["windows"];

/** The window that `rememberWindow` stored for this endpoint and model. Never throws: a bad file teaches nothing. */
export function learntWindow({ env, baseUrl, model }: WindowKey): number | undefined {
  try {
    const known = parseWindows(readTextIfExists(windowsPath(env)) ?? "", "en") ?? [];
    const url = withoutSecrets(baseUrl);
    const tokens = known.find((row) => row.base_url === url && row.model === model)?.tokens ?? 0;
    return isPlausibleWindow(tokens) ? tokens : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a window for every later run of this person, in `<config>/flower/windows.json`. A later value replaces an
 * earlier one. A file that cannot be understood is set aside, never overwritten.
 *
 * Throws `config/bad-window` (no model has such a one), `config/windows-too-new` (a newer flower wrote the file), and
 * what `base/files` throws.
 */
export function rememberWindow(
  { env, baseUrl, model, tokens, lang = messageLang(env) }: WindowKey & { readonly tokens: number },
  clock: Clock = systemClock,
): void {
  if (!isPlausibleWindow(tokens)) {
    throw new FlowerError("config/bad-window", CONFIG_MESSAGES[lang].impossibleWindow(tokens));
  }
  const path = windowsPath(env);
  withFileLock(path, () => {
    const row = { base_url: withoutSecrets(baseUrl), model, tokens };
    const others = existing(path, { clock, lang }).filter(
      (r) => r.base_url !== row.base_url || r.model !== model,
    );
    writeTextAtomic(path, `${JSON.stringify({ version: VERSION, windows: [...others, row] }, null, 2)}\n`);
  });
}

function existing(path: string, { clock, lang }: { clock: Clock; lang: Lang }): Windows {
  const text = readTextIfExists(path);
  if (text === undefined) return [];
  const windows = parseWindows(text, lang);
  if (windows === undefined) setAside(path, clock.now());
  return windows ?? [];
}

/** The rows of the file, or undefined when it is not one of ours. Throws for one of a later version. */
function parseWindows(text: string, lang: Lang): Windows | undefined {
  const value = parseJson(text);
  const newer = z.object({ version: z.int().gt(VERSION) }).safeParse(value);
  if (newer.success) {
    const say = CONFIG_MESSAGES[lang];
    throw new FlowerError("config/windows-too-new", say.windowsTooNew(newer.data.version, VERSION), {
      hint: say.windowsTooNewHint,
    });
  }
  return windowsFile.safeParse(value).data?.windows;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function windowsPath(env: Env): string {
  return join(configDirectory(env), "windows.json");
}

/** The endpoint as a key: one spelling, and no user name, password or query that could hold a secret. */
function withoutSecrets(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return "";
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, "");
}
