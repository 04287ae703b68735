import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SessionKey } from "./types.ts";

/** What the CLI itself keeps of a session below its configuration directory: the transcript, and a folder. */
function localPaths(configDirectory: string, { projectKey, sessionId }: SessionKey): readonly string[] {
  // As names of files these would be other directories; no session of the CLI is called so.
  if ([projectKey, sessionId].some((part) => part === "." || part === "..")) return [];
  const path = join(configDirectory, "projects", projectKey, sessionId);
  return [`${path}.jsonl`, path];
}

/** Bytes of these files; 0 when there are none. */
export function localBytes(configDirectory: string, session: SessionKey): number {
  return localPaths(configDirectory, session).reduce((sum, path) => sum + bytesOf(path), 0);
}

/** Removes them. Throws what the file system does. */
export function removeLocalFiles(configDirectory: string, session: SessionKey): void {
  for (const path of localPaths(configDirectory, session)) rmSync(path, { recursive: true, force: true });
}

function bytesOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
