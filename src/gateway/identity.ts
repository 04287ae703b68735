import { validateHeaderName, validateHeaderValue } from "node:http";
import { FlowerError } from "../base/errors.ts";
import { type Env, valueOf } from "../config/env.ts";
import { isReserved } from "./headers.ts";

/** What flower adds to every request on its way out, and what must therefore never be told. */
export interface Identity {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly secrets: readonly string[];
}

/**
 * The credentials (`ANTHROPIC_API_KEY` as `x-api-key`, `ANTHROPIC_AUTH_TOKEN` as `Bearer`, each only when set) and
 * the lines of `ANTHROPIC_CUSTOM_HEADERS` (`Name: value`), which win over a credential of the same name.
 *
 * Throws `gateway/bad-credential` or `gateway/bad-custom-header`; no value is repeated.
 */
export function readIdentity(env: Env): Identity {
  const custom = customHeaders(valueOf(env, "ANTHROPIC_CUSTOM_HEADERS") ?? "");
  const taken = new Set(custom.map(([name]) => name.toLowerCase()));
  const credentials = [
    credential(env, { key: "ANTHROPIC_API_KEY", name: "x-api-key", prefix: "" }),
    credential(env, { key: "ANTHROPIC_AUTH_TOKEN", name: "authorization", prefix: "Bearer " }),
  ].filter((one) => one !== undefined && !taken.has(one.name));
  const secrets = [...credentials.map((one) => one?.secret ?? ""), ...custom.map(([, value]) => value)];
  return {
    headers: [...credentials.flatMap((one) => (one ? [one.name, one.value] : [])), ...custom.flat()],
    secrets: secrets.filter((secret) => secret.length >= SECRET_MIN_CHARS),
  };
}

/** A shorter value ("1", "beta") says nothing, and taking it out of a text would only make that unreadable. */
const SECRET_MIN_CHARS = 6;

function credential(
  env: Env,
  { key, name, prefix }: { readonly key: string; readonly name: string; readonly prefix: string },
): { readonly name: string; readonly value: string; readonly secret: string } | undefined {
  const secret = valueOf(env, key)?.trim();
  if (secret === undefined) return undefined;
  const value = `${prefix}${secret}`;
  if (isHeader(name, value)) return { name, value, secret };
  throw new FlowerError("gateway/bad-credential", `${key} holds characters that no HTTP header can carry`, {
    hint: "Copy the credential again: it is one line without blanks.",
  });
}

function customHeaders(text: string): (readonly [string, string])[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (isHeader(name, value) && !isReserved(name)) return [[name, value] as const];
    throw new FlowerError(
      "gateway/bad-custom-header",
      `line ${index + 1} of ANTHROPIC_CUSTOM_HEADERS is no header that can be added`,
      { hint: "Write one `Name: value` a line; headers of the connection itself cannot be set." },
    );
  });
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
