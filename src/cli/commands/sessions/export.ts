import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errnoOf, errorText, FlowerError } from "../../../base/errors.ts";
import { ensureDirectory } from "../../../base/files.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { type ExportedFile, exportedFiles } from "../../../store/exported-files.ts";
import type { GlobalFlags } from "../../options.ts";
import { renderNote, renderOptionsFor } from "../../render.ts";
import { shownPath } from "../../shown-path.ts";
import { EXIT } from "../../signals.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { findSession, withArchive } from "./find.ts";
import { type Place, placeOf } from "./place.ts";

/** `flower sessions export ID [DIR]`: the session as files, as Claude Code keeps it. Overwrites nothing. */
export function exportSession(
  { id, directory = "." }: { readonly id: string; readonly directory?: string | undefined },
  flags: GlobalFlags,
  terminal: Terminal,
): number {
  const place = placeOf(flags);
  const say = sessionsMessages[place.lang];
  const target = resolve(directory);
  return withArchive(place, (archive) => {
    const session = findSession(archive, id, place);
    // A uuid in all but old or foreign files; anything else must not lead to another directory.
    if (!/^[\w-]+$/.test(session.sessionId)) {
      throw new FlowerError("cli/not-exportable", say.notExportable(session.sessionId), {
        hint: say.notExportableHint,
      });
    }
    const files = exportedFiles(session.sessionId, archive.transcripts(session)).filter(({ path }) =>
      isBelow(path),
    );
    for (const { path } of files) assertFree(join(target, path), place);
    ensureDirectory(target);
    for (const file of files) writeNew(target, file, place);
    const render = renderOptionsFor(terminal, place.lang, false);
    const shown = shownPath(join(target, `${session.sessionId}.jsonl`));
    printLine(terminal, renderNote("ok", say.exported(files.length, shown), render));
    return EXIT.done;
  });
}

/** A subpath comes from a transcript: one that climbs out of its directory is none of the CLI's. */
function isBelow(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function assertFree(path: string, { lang }: Place): void {
  if (!existsSync(path)) return;
  const say = sessionsMessages[lang];
  throw new FlowerError("cli/exists", say.exists(shownPath(path)), { hint: say.existsHint });
}

/** Transcripts hold what was read and said: they are the owner's alone. */
function writeNew(target: string, { path, text }: ExportedFile, place: Place): void {
  const file = join(target, path);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") assertFree(file, place);
    throw new FlowerError("files/not-writable", `cannot write ${shownPath(file)}: ${errorText(thrown)}`, {
      hint: "Check the permissions and the space left, or choose another directory.",
      cause: thrown,
    });
  }
}
