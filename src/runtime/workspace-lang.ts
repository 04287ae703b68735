import { join, resolve } from "node:path";
import type { Env } from "../config/env.ts";
import { directoryLang } from "../config/language.ts";
import type { Lang } from "../lang/lang.ts";
import { workbenchPaths } from "../workbench/workbench-paths.ts";

/** A workspace as the options of a runtime or of the starter name it. */
export interface WorkspaceLangOptions {
  readonly workspace: string;
  /** Default `<workspace>/runs`. */
  readonly runDir?: string | undefined;
  readonly lang?: Lang | undefined;
  readonly new?: boolean | undefined;
}

/**
 * The language of a workspace; `env` is asked only when nothing in the directory tells. Throws what `directoryLang`
 * throws.
 */
export function workspaceLang(options: WorkspaceLangOptions, env: Env | (() => Env)): Lang {
  const workspace = resolve(options.workspace);
  return directoryLang({
    lineagePath: join(resolve(options.runDir ?? join(workspace, "runs")), "lineage.json"),
    // Both places: a directory does not change its language with `isolate`.
    notesDirectories: [true, false].map((isolate) =>
      join(workbenchPaths(workspace, { isolate }).root, "notes"),
    ),
    explicit: options.lang,
    anew: options.new,
    env,
  });
}
