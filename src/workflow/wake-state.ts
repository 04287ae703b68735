import { join, resolve } from "node:path";
import { type Env, processEnv } from "../config/env.ts";
import { directoryLang } from "../config/language.ts";
import { Brief } from "../documents/brief.ts";
import { Goal } from "../documents/goal.ts";
import type { Lang } from "../lang/lang.ts";
import { NAMES } from "../lang/names.ts";
import { workbenchPaths } from "../workbench/workbench-paths.ts";
import { Lineage } from "./lineage.ts";

export interface DirectoryOptions {
  /** Default `<workspace>/runs`. */
  readonly runDir?: string | undefined;
  /** Workers get worktrees, so the workbench lies outside the repository. Default false. */
  readonly isolate?: boolean | undefined;
  readonly briefName?: string | undefined;
  readonly goalName?: string | undefined;
  readonly lang?: Lang | undefined;
  readonly env?: Env | undefined;
}

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

/** What a run in this directory would go on from. Read-only: writes not one byte. */
export function wakeState(workspace: string, options: DirectoryOptions = {}): WakeState {
  const lang = langOf(workspace, options);
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

function langOf(workspace: string, options: DirectoryOptions): Lang {
  const root = resolve(workspace);
  return directoryLang({
    lineagePath: join(resolve(options.runDir ?? join(root, "runs")), "lineage.json"),
    notesDirectories: [join(workbenchPaths(root, { isolate: options.isolate ?? false }).root, "notes")],
    ...(options.lang === undefined ? {} : { explicit: options.lang }),
    env: options.env ?? processEnv(),
  });
}
