import { projectKey } from "../../../agent/project-key.ts";
import { FlowerError } from "../../../base/errors.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { SqliteSessionStore } from "../../../store/sqlite-session-store.ts";
import { readSessionFiles } from "../../../store/transcript-file.ts";
import { errorLine } from "../../error-line.ts";
import type { GlobalFlags } from "../../options.ts";
import { renderNote, renderOptionsFor } from "../../render.ts";
import { shownPath } from "../../shown-path.ts";
import { EXIT } from "../../signals.ts";
import { printError, printLine, type Terminal } from "../../terminal.ts";
import { placeOf } from "./place.ts";

/**
 * `flower sessions import FILE...`: files each transcript under this workspace, so that `flower once --resume` goes on
 * in it. A file that is none is told and left out; the others are stored. Nothing is made when all of them are none.
 */
export async function importSessions(
  files: readonly string[],
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<number> {
  const place = placeOf(flags);
  const { lang } = place;
  const say = sessionsMessages[lang];
  const render = renderOptionsFor(terminal, lang, false);
  const key = projectKey(place.workspace);
  let store: SqliteSessionStore | undefined;
  let exitCode: number = EXIT.done;
  try {
    for (const file of files) {
      try {
        const { sessionId, transcripts, cut } = readSessionFiles(file, { projectKey: key, lang });
        store ??= new SqliteSessionStore({ path: place.database, lang });
        const added = await store.addMissing(transcripts);
        printLine(terminal, renderNote("ok", say.imported(sessionId, added, shownPath(file)), render));
        for (const path of cut)
          printLine(terminal, renderNote("system", say.lastLineCut(shownPath(path)), render));
      } catch (thrown) {
        if (!(thrown instanceof FlowerError)) throw thrown;
        printError(terminal, errorLine(thrown, files));
        exitCode = EXIT.stopped;
      }
    }
    for (const notice of store?.notices ?? []) printLine(terminal, renderNote("system", notice, render));
    return exitCode;
  } finally {
    store?.close();
  }
}
