import { join, resolve } from "node:path";
import { surroundingEnvironment } from "../../../config/load-environment.ts";
import type { Lang } from "../../../lang/lang.ts";
import { workspaceLang } from "../../../runtime/workspace-lang.ts";
import type { GlobalFlags } from "../../options.ts";

/** Where the sessions of a workspace lie. Asking makes nothing. */
export interface Place {
  readonly workspace: string;
  readonly runDir: string;
  readonly database: string;
  /** Of the CLI: its own files of the sessions that began here. */
  readonly configDirectory: string;
  readonly lang: Lang;
}

/** Throws what `directoryLang` throws. */
export function placeOf(flags: Pick<GlobalFlags, "workspace" | "runDir" | "lang">): Place {
  const workspace = resolve(flags.workspace);
  const runDir = resolve(flags.runDir ?? join(workspace, "runs"));
  return {
    workspace,
    runDir,
    database: join(runDir, "sessions.db"),
    configDirectory: join(runDir, "claude"),
    lang: workspaceLang(flags, () => surroundingEnvironment().env),
  };
}
