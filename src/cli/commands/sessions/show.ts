import { plainText } from "../../../base/text.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import type { GlobalFlags } from "../../options.ts";
import { renderNote, renderOptionsFor } from "../../render.ts";
import { EXIT } from "../../signals.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { readBooks } from "./books.ts";
import { sizeText, tokensText } from "./figures.ts";
import { findSession, withArchive } from "./find.ts";
import { placeOf } from "./place.ts";
import { transcriptLines } from "./transcript-lines.ts";

export interface ShowFlags extends GlobalFlags {
  readonly raw?: boolean;
}

/** `flower sessions show ID`: the transcript for people, or with `--raw` its rows as they are stored. */
export function showSession(id: string, flags: ShowFlags, terminal: Terminal): number {
  const place = placeOf(flags);
  const render = renderOptionsFor(terminal, place.lang, flags.verbose ?? false);
  return withArchive(place, (archive) => {
    const session = findSession(archive, id, place);
    const transcripts = archive.transcripts(session);
    if (flags.raw) {
      // JSON escapes what a terminal would act on but for the controls above ASCII, and signs that turn the line round.
      const shown = terminal.output.isTTY === true ? plainText : (payload: string): string => payload;
      for (const payload of transcripts.flatMap(({ payloads }) => payloads))
        printLine(terminal, shown(payload));
      return EXIT.done;
    }
    const say = sessionsMessages[place.lang];
    const { step = "-", turns = archive.turnsOf(session) } = readBooks(place.runDir).of(session.sessionId);
    const details = say.details(turns, tokensText(archive.contextOf(session)), sizeText(session.bytes));
    printLine(terminal, renderNote("step", `${session.sessionId} · ${step} · ${details}`, render));
    const lines = transcriptLines(transcripts, render);
    for (const line of lines) printLine(terminal, line);
    const end = lines.length === 0 ? say.emptySession : say.goesOn(session.sessionId);
    printLine(terminal, renderNote("system", end, render));
    return EXIT.done;
  });
}
