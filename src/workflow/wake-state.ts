import { join, resolve } from "node:path";
import type { Env } from "../config/env.ts";
import { surroundingEnvironment } from "../config/load-environment.ts";
import { Brief } from "../documents/brief.ts";
import { Goal } from "../documents/goal.ts";
import type { Lang } from "../lang/lang.ts";
import { NAMES } from "../lang/names.ts";
import { workspaceLang } from "../runtime/workspace-lang.ts";
import { workbenchPaths } from "../workbench/workbench-paths.ts";
import { Lineage } from "./lineage.ts";

/** Which directory is meant, and how its parts are called. */
export interface DirectoryOptions {
  /** Default `<workspace>/runs`. */
  readonly runDir?: string | undefined;
  /** Workers get worktrees, so the workbench lies outside the repository. Default false. */
  readonly isolate?: boolean | undefined;
  /** File name in the notes. Default: by language. */
  readonly briefName?: string | undefined;
  /** File name in the notes. Default: by language. */
  readonly goalName?: string | undefined;
  /** Of a directory that has none yet; it is an error when the directory has another (`directoryLang`). */
  readonly lang?: Lang | undefined;
  /** What is here will be archived, so `lang` may be another than the directory's. Default false. */
  readonly new?: boolean | undefined;
  /** The whole environment. Default: the runtime's, that is the process's and what `.env` files add to it. */
  readonly env?: Env | undefined;
}

/** What a directory holds of its conversation. */
export interface WakeState {
  /** A complete brief exists: a run here goes on from last time. */
  readonly waking: boolean;
  readonly brief: Brief | undefined;
  readonly goal: Goal | undefined;
  /** Number of checks in the goal. */
  readonly checks: number;
  /** How often this conversation was woken so far. */
  readonly woke: number;
  /** Session ids by step name. */
  readonly steps: Readonly<Record<string, string>>;
  /** What the human said so far that a session was told; undefined when nobody kept account of it. */
  readonly asks: readonly string[] | undefined;
  readonly lang: Lang;
  readonly paths: DirectoryPaths;
}

/** Where things of one workspace lie. */
export interface DirectoryPaths {
  readonly workspace: string;
  readonly runDir: string;
  /** Root of the workbench. */
  readonly workbench: string;
  readonly notes: string;
  readonly brief: string;
  readonly goal: string;
}

/**
 * What a run in this directory would go on from. Read-only: writes not one byte. Throws what `directoryLang` throws,
 * and `files/not-readable`.
 */
export function wakeState(workspace: string, options: DirectoryOptions = {}): WakeState {
  const lang = workspaceLang({ ...options, workspace }, options.env ?? (() => surroundingEnvironment().env));
  const paths = directoryPaths(workspace, { ...options, lang });
  const brief = Brief.load(paths.brief);
  const goal = Goal.load(paths.goal);
  const lineage = Lineage.open(paths.runDir, paths.workspace, { lang });
  return {
    waking: brief?.complete() ?? false,
    brief,
    goal,
    checks: goal?.checks.length ?? 0,
    woke: lineage.woke,
    steps: lineage.steps,
    asks: lineage.asks,
    lang,
    paths,
  };
}

function directoryPaths(workspace: string, options: DirectoryOptions & { lang: Lang }): DirectoryPaths {
  const root = resolve(workspace);
  const { root: workbench } = workbenchPaths(root, { isolate: options.isolate ?? false });
  const notes = join(workbench, "notes");
  return {
    workspace: root,
    runDir: resolve(options.runDir ?? join(root, "runs")),
    workbench,
    notes,
    brief: join(notes, options.briefName ?? NAMES[options.lang].briefFile),
    goal: join(notes, options.goalName ?? NAMES[options.lang].goalFile),
  };
}
