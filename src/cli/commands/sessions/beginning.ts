import { openSessionArchive, type SessionArchive } from "../../../store/session-archive.ts";
import type { GlobalFlags } from "../../options.ts";
import { readBooks } from "./books.ts";
import { findMessage, findSession } from "./find.ts";
import { type Place, placeOf } from "./place.ts";

/** Where `flower once` is to begin, with ids written out. */
export interface Beginning {
  readonly resume?: string;
  readonly at?: string;
}

/**
 * Writes out what `--resume` and `--at` only begin, before anything is made or spent. Throws as `findSession` and
 * `findMessage`. A session that a step was cut off in is the runtime's business: what the database lacks of it is
 * stored when the runtime begins.
 */
export function beginningOf(flags: GlobalFlags & Beginning): Beginning {
  if (flags.resume === undefined) return {};
  const place = placeOf(flags);
  if (readBooks(place.runDir).protectionOf(flags.resume)?.reason === "cutOff") {
    return { resume: flags.resume, ...(flags.at === undefined ? {} : { at: flags.at }) };
  }
  const archive = openSessionArchive(place.database, { lang: place.lang });
  // Where no session is, the runtime says so.
  if (archive === undefined)
    return { resume: flags.resume, ...(flags.at === undefined ? {} : { at: flags.at }) };
  try {
    return found(archive, place, { resume: flags.resume, at: flags.at });
  } finally {
    archive.close();
  }
}

function found(
  archive: SessionArchive,
  place: Place,
  { resume, at }: { readonly resume: string; readonly at: string | undefined },
): Beginning {
  const session = findSession(archive, resume, place);
  if (at === undefined) return { resume: session.sessionId };
  return { resume: session.sessionId, at: findMessage(archive, { session, text: at, lang: place.lang }) };
}
