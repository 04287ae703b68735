import { FlowerError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { CREDENTIAL_KEYS, type CredentialKey, PROCESS_ORIGIN, SECRET_KEYS } from "./credential-keys.ts";
import { type Env, valueOf } from "./env.ts";
import type { LoadedEnvironment } from "./load-environment.ts";

/** Throws `config/no-credentials` unless one of the two secrets is there and not blank. */
export function requireCredentials(env: Env, lang: Lang = "en"): void {
  if (SECRET_KEYS.some((key) => valueOf(env, key) !== undefined)) return;
  const texts = CONFIG_MESSAGES[lang];
  throw new FlowerError("config/no-credentials", texts.noCredentials, { hint: texts.noCredentialsHint });
}

/**
 * One line for each of the nine keys that has a value, with where it came from, for `-v` and for bug reports.
 *
 * Contract: of a secret at most the last four characters are shown, and only when it has twenty or more; a
 * user name or password inside the base URL is hidden.
 */
export function describeCredentials(loaded: LoadedEnvironment, lang: Lang = "en"): readonly string[] {
  const texts = CONFIG_MESSAGES[lang];
  return CREDENTIAL_KEYS.flatMap((key) => {
    const value = valueOf(loaded.env, key);
    if (value === undefined) return [];
    const origin = loaded.origin[key] ?? PROCESS_ORIGIN;
    const from = origin === PROCESS_ORIGIN ? texts.processOrigin : oneLine(origin);
    return [texts.credential(key, shown(key, value), from)];
  });
}

/** A secret shorter than this would be half told by its last four characters. */
const MASK_MIN_CHARS = 20;

function shown(key: CredentialKey, value: string): string {
  if (SECRET_KEYS.some((secret) => secret === key)) return maskSecret(value);
  return oneLine(value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#\s]*@/i, "$1…@"));
}

/** `…` and the last four characters of a long secret; only `…` of a short one. */
export function maskSecret(secret: string): string {
  const trimmed = secret.trim();
  return trimmed.length < MASK_MIN_CHARS ? "…" : `…${oneLine(trimmed.slice(-4))}`;
}
