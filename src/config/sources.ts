import { parse } from "dotenv";
import { z } from "zod";
import { errorText } from "../base/errors.ts";
import { readTextIfExists } from "../base/files.ts";
import { CREDENTIAL_KEYS } from "./credential-keys.ts";
import type { ConfigNotice } from "./notices.ts";

/** What one file has to offer. */
export interface Source {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
  readonly notices: readonly ConfigNotice[];
}

/**
 * A `.env` file in the dialect of the `dotenv` package: `export`, comments, quotes, several lines; no
 * expansion of `$NAME`. Undefined when there is no such file; never throws.
 */
export function readEnvFile(path: string): Source | undefined {
  const text = read(path);
  if (text === undefined || typeof text !== "string") return text;
  // What a shell wrote as UTF-16 would parse into nothing at all.
  if (/[\0\ufffd]/.test(text)) return unusable(path, "broken", "not UTF-8 text");
  const values = new Map(Object.entries(parse(text)));
  const hasContent = text.split(/\r\n|\r|\n/).some((line) => /^\s*[^\s#\ufeff]/.test(line));
  if (values.size === 0 && hasContent) return unusable(path, "broken", "no KEY=value line");
  return { path, values, notices: [] };
}

const claudeSettings = z.object({
  env: z.record(z.string(), z.unknown()).optional(),
});

/** The nine credential keys, and nothing else, from the `env` block of a Claude Code settings file. */
export function readClaudeSettings(path: string): Source | undefined {
  const text = read(path);
  if (text === undefined || typeof text !== "string") return text;
  const parsed = parseJson(text);
  const settings = claudeSettings.safeParse(parsed);
  if (!settings.success) {
    return unusable(path, "broken", parsed === undefined ? "not JSON" : "no usable env block");
  }
  const env = settings.data.env ?? {};
  const values = CREDENTIAL_KEYS.flatMap((key): readonly [string, string][] => {
    const value = env[key];
    return typeof value === "string" ? [[key, value]] : [];
  });
  return { path, values: new Map(values), notices: [] };
}

/** The file's text, undefined when it is not there, or a source that only carries the notice of a failure. */
function read(path: string): string | Source | undefined {
  try {
    return readTextIfExists(path);
  } catch (thrown) {
    return unusable(path, "unreadable", errorText(thrown));
  }
}

function unusable(path: string, kind: "unreadable" | "broken", detail: string): Source {
  return { path, values: new Map(), notices: [{ kind, path, detail }] };
}

/** The value of a JSON text, or undefined when it is none. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return value;
  } catch {
    return undefined;
  }
}
