import { existsSync } from "node:fs";
import { realPath } from "../base/real-path.ts";
import { isInside } from "../workbench/is-inside.ts";

/**
 * Whether a session of a run directory that is filed under another project belongs to a workspace all the same. In a
 * run directory inside the workspace every session does: both were moved or copied together. In one elsewhere those do
 * that began here (the Python original names its projects differently) or in a directory that is gone (this workspace
 * was moved); any other is another workspace's. `cwd` is where the session began.
 */
export function isTakenAlong(
  cwd: string | undefined,
  { workspace, runDir }: { readonly workspace: string; readonly runDir: string },
): boolean {
  const here = realPath(workspace);
  if (isInside(here, realPath(runDir))) return true;
  return cwd !== undefined && (!existsSync(cwd) || realPath(cwd) === here);
}
