import { type Clock, systemClock } from "../../../base/clock.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { localBytes } from "../../../store/local-files.ts";
import { openSessionArchive, type SessionArchive } from "../../../store/session-archive.ts";
import type { GlobalFlags } from "../../options.ts";
import { type RenderOptions, renderNote, renderOptionsFor } from "../../render.ts";
import { shownPath } from "../../shown-path.ts";
import { EXIT } from "../../signals.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { readBooks } from "./books.ts";
import { sizeText } from "./figures.ts";
import { type Place, placeOf } from "./place.ts";
import { bytesOf, reclaimed, removeSession } from "./remove.ts";

export interface GcFlags extends GlobalFlags {
  /** Milliseconds. */
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

/** `flower sessions gc --older-than AGE`: deletes what nothing happened in for so long, but what is protected. */
export function gcSessions(flags: GcFlags, terminal: Terminal, clock: Clock = systemClock): number {
  const place = placeOf(flags);
  const render = renderOptionsFor(terminal, place.lang, false);
  const dryRun = flags.dryRun ?? false;
  const archive = openSessionArchive(place.database, { lang: place.lang, change: !dryRun });
  if (archive === undefined) {
    const none = sessionsMessages[place.lang].none(shownPath(place.runDir));
    printLine(terminal, renderNote("system", none, render));
    return EXIT.done;
  }
  try {
    const before = clock.now() - flags.olderThan;
    for (const line of collect(archive, { place, before, dryRun, render })) printLine(terminal, line);
    return EXIT.done;
  } finally {
    archive.close();
  }
}

interface Collecting {
  readonly place: Place;
  /** Milliseconds since the epoch. */
  readonly before: number;
  readonly dryRun: boolean;
  readonly render: RenderOptions;
}

function collect(archive: SessionArchive, { place, before, dryRun, render }: Collecting): string[] {
  const say = sessionsMessages[place.lang];
  const old = archive.sessions().filter(({ lastActiveMs }) => lastActiveMs < before);
  if (old.length === 0) return [renderNote("system", say.nothingOld, render)];
  const lines: string[] = [];
  let [count, bytes, localFreed] = [0, 0, 0];
  for (const session of old) {
    const { sessionId } = session;
    const local = localBytes(place.configDirectory, session);
    const size = bytesOf(session, place);
    const books = readBooks(place.runDir);
    const protection = dryRun
      ? books.protectionOf(sessionId)
      : removeSession(archive, session, { place, force: false });
    if (protection !== undefined) {
      const reason = say.reasons[protection.reason](protection.step);
      lines.push(renderNote("system", say.kept(sessionId, reason), render));
      continue;
    }
    const tell = dryRun ? say.wouldDelete : say.deleted;
    const { step = "-" } = books.of(sessionId);
    lines.push(renderNote(dryRun ? "system" : "ok", tell(sessionId, step, sizeText(size)), render));
    [count, bytes, localFreed] = [count + 1, bytes + size, localFreed + local];
  }
  if (count === 0) return lines;
  const end = dryRun
    ? say.wouldFree(count, sizeText(bytes))
    : reclaimed(archive, { count, bytes, localFreed, lang: place.lang });
  return [...lines, renderNote("step", end, render)];
}
