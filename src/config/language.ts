import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FlowerError } from "../base/errors.ts";
import { readTextIfExists } from "../base/files.ts";
import { isLang, LANGS, type Lang } from "../lang/lang.ts";
import { NAMES } from "../lang/names.ts";
import { type Env, valueOf } from "./env.ts";

/**
 * The language of a directory's first run: `FLOWER_LANG`, else Chinese when the locale is, else English. Of the
 * locale's variables the first that is set decides, as in POSIX. Throws `config/unknown-language`.
 */
export function detectLang(env: Env): Lang {
  const chosen = valueOf(env, "FLOWER_LANG")?.trim().toLowerCase();
  if (chosen !== undefined) {
    if (isLang(chosen)) return chosen;
    throw new FlowerError("config/unknown-language", `FLOWER_LANG is ${JSON.stringify(chosen)}`, {
      hint: "Set it to zh or en, or unset it.",
    });
  }
  const locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
    .map((key) => valueOf(env, key))
    .find((v) => v !== undefined);
  return locale?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export interface DirectoryLangOptions {
  /** The directory's `lineage.json`; need not exist. */
  readonly lineagePath: string;
  /** Where the brief may lie. */
  readonly notesDirectories: readonly string[];
  /** What the user asked for on the command line. */
  readonly explicit?: Lang | undefined;
  readonly env: Env;
}

/**
 * The language a directory has: what was asked for, else what its lineage says, else that of the brief that is
 * there (the newer one when both are), else that of the environment. A changed locale never changes it.
 *
 * Contract: writes nothing. A lineage that cannot be read says nothing. Throws only what `detectLang` throws.
 */
export function directoryLang({ lineagePath, notesDirectories, explicit, env }: DirectoryLangOptions): Lang {
  return explicit ?? recordedLang(lineagePath) ?? briefLang(notesDirectories) ?? detectLang(env);
}

const lineage = z.object({ lang: z.enum(LANGS) });

function recordedLang(lineagePath: string): Lang | undefined {
  try {
    const text = readTextIfExists(lineagePath);
    return text === undefined ? undefined : lineage.safeParse(JSON.parse(text)).data?.lang;
  } catch {
    return undefined;
  }
}

function briefLang(directories: readonly string[]): Lang | undefined {
  const found = directories.flatMap((directory) =>
    LANGS.flatMap((lang) => {
      const mtimeMs = fileMtimeMs(join(directory, NAMES[lang].briefFile));
      return mtimeMs === undefined ? [] : [{ lang, mtimeMs }];
    }),
  );
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs).at(0)?.lang;
}

function fileMtimeMs(path: string): number | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}
