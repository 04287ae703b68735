import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../../../base/files.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { localBytes, removeLocalFiles } from "../../../store/local-files.ts";
import type { SessionArchive, StoredSession } from "../../../store/session-archive.ts";
import { type Protection, readBooks } from "./books.ts";
import { sizeText } from "./figures.ts";
import type { Place } from "./place.ts";

/** Bytes that go with a session: its rows, and what the CLI keeps of it in this run directory. */
export function bytesOf(session: StoredSession, { configDirectory }: Place): number {
  return session.bytes + localBytes(configDirectory, session);
}

/**
 * Deletes a session and what the CLI keeps of it, unless it is protected: then it says why. Under the lock with which a
 * step begins (`InFlight.begin`): of a step that wants the session and this one is first.
 */
export function removeSession(
  archive: SessionArchive,
  session: StoredSession,
  { place, force }: { readonly place: Place; readonly force: boolean },
): Protection | undefined {
  return whileNoStepBegins(place, () => {
    const protection = force ? undefined : readBooks(place.runDir).protectionOf(session.sessionId);
    if (protection !== undefined) return protection;
    archive.delete(session);
    removeLocalFiles(place.configDirectory, session);
    return undefined;
  });
}

function whileNoStepBegins<T>({ runDir }: Place, work: () => T): T {
  const directory = join(runDir, "in-flight");
  // Where no step ever ran there is no lock to take, and none to leave a directory for.
  return existsSync(directory) ? withFileLock(join(directory, "begin"), work) : work();
}

/** What came of the deleting, for people: `localFreed` are bytes of the CLI's files that went. */
export function reclaimed(
  archive: SessionArchive,
  {
    count,
    bytes,
    localFreed,
    lang,
  }: { count: number; bytes: number; localFreed: number; lang: Place["lang"] },
): string {
  const say = sessionsMessages[lang];
  const before = fileBytes(archive.path);
  if (!archive.reclaim()) return say.freedLater(count, sizeText(bytes));
  return say.freed(count, sizeText(Math.max(0, before - fileBytes(archive.path)) + localFreed));
}

/** The database with its log. */
function fileBytes(path: string): number {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
