import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { randomHex } from "../base/ids.ts";
import { realPath } from "../base/real-path.ts";
import { isAlive, thisOwner } from "../runtime/owner.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { copyTree } from "./copy-files.ts";
import { differences, type Fingerprint, fingerprint } from "./fingerprint.ts";
import { copyWorkspace } from "./workspace-copy.ts";

/** Where one round is judged: a copy of the workspace, and a memory of what the original was. */
export interface JudgeRoom {
  /** The workspace in the copy. */
  readonly path: string;
  /** What of the original is not as it was when the room was made; sorted paths, and names of parts of the repository. */
  changed(): Promise<string[]>;
  /** Takes the copy away. */
  close(): Promise<void>;
}

/**
 * Makes a room outside the workspace: a tool that looks for its settings upwards must not find the original's. Of the
 * workbench the judge sees what was made, not what was said about it. Copies that flowers left which were killed over
 * this run directory are taken away. Rejects when git or the disk fails, or the signal aborts.
 */
export async function openJudgeRoom(
  runtime: Pick<Runtime, "workspace" | "runDir" | "workbench">,
  signal?: AbortSignal,
): Promise<JudgeRoom> {
  const workspace = realPath(runtime.workspace);
  const prefix = `flower-judge-${createHash("sha256").update(realPath(runtime.runDir)).digest("hex").slice(0, 12)}`;
  await clearLeftovers(prefix);
  const room = join(realPath(tmpdir()), `${prefix}-${thisOwner().process.replace(":", "_")}-${randomHex(3)}`);
  const { workbench } = runtime;
  const own = [runtime.runDir, ...(workbench === undefined ? [] : [workbench.root])].map(realPath);
  const skip = [...own, join(workspace, ".claude", "worktrees")];
  const isSkipped = (path: string): boolean =>
    skip.some((skipped) => path === skipped || path.startsWith(`${skipped}${sep}`));
  const look = (linked: readonly string[]): Promise<Fingerprint> =>
    fingerprint(workspace, { isSkipped, linked, signal });
  const close = (): Promise<void> => rm(room, { recursive: true, force: true, maxRetries: 3 });
  try {
    // The workspace may be nobody else's to read, and the temporary directory is everybody's.
    await mkdir(room, { mode: 0o700 });
    const copy = await copyWorkspace(workspace, { into: room, skip, signal });
    for (const made of [workbench?.artifacts, workbench?.scripts].filter((path) => path !== undefined)) {
      const place = relative(workspace, realPath(made));
      if (existsSync(made) && !place.startsWith("..")) await copyTree(realPath(made), join(copy.path, place));
    }
    const before = await look(copy.linked);
    return {
      path: copy.path,
      changed: async () => differences(before, await look(copy.linked)),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** A flower that lives may judge another step at this moment. */
async function clearLeftovers(prefix: string): Promise<void> {
  const root = realPath(tmpdir());
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(`${prefix}-`))) {
    const owner = name.slice(prefix.length + 1).split("-", 1)[0] ?? "";
    if (!isAlive(owner.replace("_", ":"))) await rm(join(root, name), { recursive: true, force: true });
  }
}
