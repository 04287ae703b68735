import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "./is-inside.ts";

/** The workbench's directory inside a workspace. */
export const WORKBENCH_DIRNAME = ".flower";

/** Where the parts of one workbench lie; absolute paths. */
export interface WorkbenchPaths {
  readonly root: string;
  /** The root lies outside the workspace: agents must be told absolute paths, and given access to it. */
  readonly external: boolean;
  /** What will be run a second time. */
  readonly scripts: string;
  /** Long output: reports, data, logs. */
  readonly artifacts: string;
  /** Decisions, the brief, the goal, handoffs. */
  readonly notes: string;
  /** Tool results that were too long for the conversation, named by their content. */
  readonly spill: string;
  readonly indexPath: string;
}

/**
 * Where the workbench of `workspace` is. The only place that knows (SPEC 5): a second opinion about it would
 * raise no error, just lose the brief.
 *
 * With `isolate` it is `<parent>/.flower-<basename>`: workers in their own worktrees cannot write into the
 * shared checkout, and what they share must not lie in anybody's private copy.
 *
 * Contract: pure; writes nothing and looks at nothing on disk.
 */
export function workbenchPaths(workspace: string, options: { isolate?: boolean } = {}): WorkbenchPaths {
  const home = resolve(workspace);
  const root =
    options.isolate === true
      ? join(dirname(home), `${WORKBENCH_DIRNAME}-${basename(home)}`)
      : join(home, WORKBENCH_DIRNAME);
  return pathsBelow(root, home);
}

/** The parts of a workbench whose root is already known. */
export function pathsBelow(root: string, workspace: string): WorkbenchPaths {
  return {
    root,
    external: !isInside(workspace, root),
    scripts: join(root, "scripts"),
    artifacts: join(root, "artifacts"),
    notes: join(root, "notes"),
    spill: join(root, "spill"),
    indexPath: join(root, "INDEX.md"),
  };
}
