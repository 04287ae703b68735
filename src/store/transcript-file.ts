import { basename, dirname, join, relative, sep } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { readTextIfExists } from "../base/files.ts";
import type { Lang } from "../lang/lang.ts";
import { sessionsMessages } from "../lang/messages/sessions.ts";
import { type LocalTranscript, NOT_MIRRORED, sidecarOf, transcriptsBelow } from "./local-transcripts.ts";
import { entryOf } from "./rows.ts";
import { isKeyPart } from "./store-key.ts";
import type { SessionStoreEntry } from "./types.ts";

/** A session as somebody has it in files. */
export interface SessionFiles {
  readonly sessionId: string;
  readonly transcripts: readonly LocalTranscript[];
  /** Files whose last line was cut off; it is left out. */
  readonly cut: readonly string[];
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads a transcript of Claude Code, with the folder of its subagents beside it. It is filed under `projectKey`, and
 * under the name of the file when that is a uuid, else under the session that its rows name.
 *
 * Contract: all of it is understood, or nothing is returned: `store/no-transcript` names file and line. Only a last
 * line without an end, which a process that was killed leaves, is left out (`cut`).
 */
export function readSessionFiles(
  path: string,
  { projectKey, lang }: { projectKey: string; lang: Lang },
): SessionFiles {
  const say = sessionsMessages[lang];
  const text = readTextIfExists(path);
  if (text === undefined) {
    throw new FlowerError("store/no-transcript", say.noSuchFile(path), { hint: say.noTranscriptHint });
  }
  const main = entriesOf(text, path, lang);
  const sessionId = idOf(path, main.entries);
  if (sessionId === undefined) throw noTranscript(path, 1, lang);
  const below = join(dirname(path), basename(path, ".jsonl"));
  const agents = transcriptsBelow(below).map((file) => {
    const { entries, cut } = entriesOf(readTextIfExists(file) ?? "", file, lang);
    const subpath = relative(below, file).slice(0, -".jsonl".length).split(sep).join("/");
    return { file, cut, key: { projectKey, sessionId, subpath }, entries: [...entries, ...sidecarOf(file)] };
  });
  return {
    sessionId,
    transcripts: [{ key: { projectKey, sessionId }, entries: main.entries }, ...agents],
    cut: [{ file: path, cut: main.cut }, ...agents].filter(({ cut }) => cut).map(({ file }) => file),
  };
}

function entriesOf(
  text: string,
  path: string,
  lang: Lang,
): { readonly entries: readonly SessionStoreEntry[]; readonly cut: boolean } {
  const lines = text.split("\n");
  const last = lines.length - 1;
  const entries: SessionStoreEntry[] = [];
  let cut = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const entry = entryOf(line);
    if (entry !== undefined) entries.push(entry);
    else if (index === last && entries.length > 0) cut = true;
    else throw noTranscript(path, index + 1, lang);
  }
  return { entries: entries.filter(({ type }) => !type.startsWith(NOT_MIRRORED)), cut };
}

/** Undefined when no row is part of a conversation: JSON lines of something else have a `type` too. */
function idOf(path: string, entries: readonly SessionStoreEntry[]): string | undefined {
  const talk = entries.find(
    ({ type, uuid, message }) =>
      (type === "user" || type === "assistant") && typeof uuid === "string" && message !== undefined,
  );
  if (talk === undefined) return undefined;
  const name = basename(path, ".jsonl");
  if (UUID.test(name)) return name.toLowerCase();
  const named = talk["sessionId"];
  return typeof named === "string" && isKeyPart(named) ? named : undefined;
}

function noTranscript(path: string, line: number, lang: Lang): FlowerError {
  const say = sessionsMessages[lang];
  return new FlowerError("store/no-transcript", say.noTranscript(path, line), { hint: say.noTranscriptHint });
}
