import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { markedProcesses } from "../agent/processes.ts";
import { errnoOf } from "../base/errors.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * A CLI that resumes works in a directory of its own below the system's temporary one, which the SDK makes before it starts
 * the CLI and removes some time after its end (0.3.332). Who dies before or in between leaves it, transcript and all.
 */
const RESUME_DIRECTORY = "claude-resume-";

export function isResumeDirectory(path: string): boolean {
  return basename(path).startsWith(RESUME_DIRECTORY);
}

/**
 * Takes away the directories in which sessions of this store were resumed by a flower that is gone; what only they hold
 * is imported first. Those of sessions that `isBusy` are left, and those that a process still works in.
 */
export async function clearResumeDirectories(
  { store, projectKey }: Pick<RuntimeParts, "store" | "projectKey">,
  isBusy: (sessionId: string) => boolean,
): Promise<void> {
  for (const name of namesIn(tmpdir()).filter(isResumeDirectory)) {
    const directory = join(tmpdir(), name);
    const session = namesIn(join(directory, "projects", projectKey))
      .filter((file) => file.endsWith(".jsonl"))
      .map((file) => file.slice(0, -".jsonl".length))
      .find((id) => store.hasSession(projectKey, id));
    if (session === undefined || isBusy(session)) continue;
    if (markedProcesses("CLAUDE_CONFIG_DIR", directory).length > 0) continue;
    await store.importLocal(directory, { projectKey, sessionId: session });
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Somebody else's directory is not ours to read, and one may be gone meanwhile. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(errnoOf(thrown) ?? "")) return [];
    throw thrown;
  }
}
