import { FlowerError } from "../../../base/errors.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { MIN_PREFIX, matchId, shortLength } from "../../../store/id-prefix.ts";
import {
  openSessionArchive,
  type SessionArchive,
  type StoredSession,
} from "../../../store/session-archive.ts";
import { shownPath } from "../../shown-path.ts";
import type { Place } from "./place.ts";

/** Ids that an error names at most. */
const MAX_CANDIDATES = 5;

/**
 * Opens the sessions of a run directory for `work`, and closes them again. Throws `cli/no-session` when there are
 * none, and what `openSessionArchive` throws.
 */
export function withArchive<T>(
  place: Place,
  work: (archive: SessionArchive) => T,
  { change = false }: { readonly change?: boolean } = {},
): T {
  const { lang, database, runDir } = place;
  const archive = openSessionArchive(database, { lang, change });
  if (archive === undefined) {
    const say = sessionsMessages[lang];
    throw new FlowerError("cli/no-session", say.noSession(shownPath(runDir)), { hint: say.noSessionHint });
  }
  try {
    return work(archive);
  } finally {
    archive.close();
  }
}

/** The session that `text` names. Throws `cli/unknown-id`, `cli/ambiguous-id` or `cli/short-id`. */
export function findSession(archive: SessionArchive, text: string, { lang, runDir }: Place): StoredSession {
  const say = sessionsMessages[lang];
  const sessions = archive.sessions();
  const ids = sessions.map(({ sessionId }) => sessionId);
  const id = requireId(ids, text, {
    short: say.shortId(text, MIN_PREFIX),
    none: say.unknownId(text, shownPath(runDir)),
    several: (count) => say.ambiguousId(text, count),
    candidates: say.candidates,
  });
  // Of two with one id, which a copied workspace may leave, the one that something happened in last.
  const found = sessions.find(({ sessionId }) => sessionId === id);
  if (found === undefined) throw new Error(`session ${id} was there a moment ago`);
  return found;
}

/** The message of a session that `text` names. Throws as `findSession`. */
export function findMessage(
  archive: SessionArchive,
  {
    session,
    text,
    lang,
  }: { readonly session: StoredSession; readonly text: string; readonly lang: Place["lang"] },
): string {
  const say = sessionsMessages[lang];
  // The last ones first: those are gone back to.
  return requireId([...archive.uuidsOf(session)].reverse(), text, {
    short: say.shortId(text, MIN_PREFIX),
    none: say.unknownAt(text, session.sessionId),
    several: (count) => say.ambiguousAt(text, count),
    candidates: say.candidates,
  });
}

interface Sentences {
  readonly short: string;
  readonly none: string;
  readonly several: (count: number) => string;
  readonly candidates: (ids: readonly string[], more: boolean) => string;
}

function requireId(ids: readonly string[], text: string, say: Sentences): string {
  const match = matchId(ids, text);
  if (match.kind === "one") return match.id;
  const several = match.kind === "several" ? match.ids : undefined;
  const [code, message] =
    several !== undefined
      ? ["cli/ambiguous-id", say.several(several.length)]
      : match.kind === "short"
        ? ["cli/short-id", say.short]
        : ["cli/unknown-id", say.none];
  const candidates = several ?? ids;
  const length = shortLength(ids);
  const shown = candidates.slice(0, MAX_CANDIDATES).map((id) => id.slice(0, length));
  const hint = say.candidates(shown, candidates.length > shown.length);
  throw new FlowerError(code, message, shown.length === 0 ? {} : { hint });
}
