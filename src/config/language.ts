import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FlowerError } from "../base/errors.ts";
import { readTextIfExists } from "../base/files.ts";
import { isLang, LANGS, type Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { NAMES } from "../lang/names.ts";
import { type Env, valueOf } from "./env.ts";

/**
 * The language of a directory's first run: `FLOWER_LANG`, else Chinese when the locale is, else English. Of the
 * locale's variables the first that is set decides, as in POSIX. Throws `config/unknown-language`.
 */
export function detectLang(env: Env): Lang {
  const chosen = chosenLang(env);
  if (chosen === undefined) return localeLang(env);
  if (isLang(chosen)) return chosen;
  const say = CONFIG_MESSAGES[localeLang(env)];
  throw new FlowerError("config/unknown-language", say.unknownLanguage(chosen), {
    hint: say.unknownLanguageHint,
  });
}

/** The language to speak before a directory is known. As `detectLang`, but a bad `FLOWER_LANG` is passed over. */
export function messageLang(env: Env): Lang {
  const chosen = chosenLang(env);
  return isLang(chosen) ? chosen : localeLang(env);
}

function chosenLang(env: Env): string | undefined {
  return valueOf(env, "FLOWER_LANG")?.trim().toLowerCase();
}

function localeLang(env: Env): Lang {
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
  /** What the user asked for, with `--lang` or an option. */
  readonly explicit?: Lang | undefined;
  /** What is in the directory will be archived, and does not bind the run that begins. Default false. */
  readonly anew?: boolean | undefined;
  /** Read only when nothing else decides; a function, where making it costs something. */
  readonly env: Env | (() => Env);
}

/**
 * The language a directory has: what its lineage says, else that of the brief that is there (the newer one when
 * both are), else that of the step names in the lineage, else what was asked for, else that of the environment. A
 * changed locale never changes it.
 *
 * Contract: writes nothing. A lineage that cannot be read says nothing. Throws `config/directory-language` when
 * another language is asked for than the directory has, since half of its names would be in each; not with `anew`,
 * when what was asked for comes first. Else throws only what `detectLang` throws.
 */
export function directoryLang(options: DirectoryLangOptions): Lang {
  const { explicit, env } = options;
  const recorded = readLineage(options.lineagePath);
  const present = recorded?.lang ?? briefLang(options.notesDirectories) ?? stepLang(recorded?.steps ?? {});
  if (present === undefined || options.anew) {
    return explicit ?? present ?? detectLang(typeof env === "function" ? env() : env);
  }
  if (explicit === undefined || explicit === present) return present;
  const say = CONFIG_MESSAGES[present];
  throw new FlowerError("config/directory-language", say.directoryLanguage(explicit), {
    hint: say.directoryLanguageHint,
  });
}

const lineage = z.object({
  lang: z.enum(LANGS).optional().catch(undefined),
  steps: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

function readLineage(lineagePath: string): z.infer<typeof lineage> | undefined {
  try {
    const text = readTextIfExists(lineagePath);
    return text === undefined ? undefined : lineage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The Python original wrote no language down, and may have been left before there was a brief. */
function stepLang(steps: Readonly<Record<string, unknown>>): Lang | undefined {
  return LANGS.find((lang) => {
    const { clarifyStep, goalStep, workStep } = NAMES[lang];
    return [clarifyStep, goalStep, workStep].some((name) => Object.hasOwn(steps, name));
  });
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
