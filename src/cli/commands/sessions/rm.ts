import { FlowerError } from "../../../base/errors.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { localBytes } from "../../../store/local-files.ts";
import type { ForceFlag, GlobalFlags } from "../../options.ts";
import { renderNote, renderOptionsFor } from "../../render.ts";
import { EXIT } from "../../signals.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { readBooks } from "./books.ts";
import { sizeText } from "./figures.ts";
import { findSession, withArchive } from "./find.ts";
import { placeOf } from "./place.ts";
import { bytesOf, reclaimed, removeSession } from "./remove.ts";

/** `flower sessions rm ID`: deletes a session, unless a step is at work in it or the next run would go on in it. */
export function rmSession(id: string, flags: GlobalFlags & ForceFlag, terminal: Terminal): number {
  const place = placeOf(flags);
  const { lang } = place;
  const say = sessionsMessages[lang];
  const render = renderOptionsFor(terminal, lang, false);
  return withArchive(
    place,
    (archive) => {
      const session = findSession(archive, id, place);
      const { sessionId } = session;
      const localFreed = localBytes(place.configDirectory, session);
      const bytes = bytesOf(session, place);
      const { step = "-" } = readBooks(place.runDir).of(sessionId);
      const protection = removeSession(archive, session, { place, force: flags.force ?? false });
      if (protection !== undefined) {
        const reason = say.reasons[protection.reason](protection.step);
        throw new FlowerError("cli/session-protected", say.isProtected(sessionId, reason), {
          hint: say.protectedHint,
        });
      }
      printLine(terminal, renderNote("ok", say.deleted(sessionId, step, sizeText(bytes)), render));
      const freed = reclaimed(archive, { count: 1, bytes, localFreed, lang });
      printLine(terminal, renderNote("step", freed, render));
      return EXIT.done;
    },
    { change: true },
  );
}
