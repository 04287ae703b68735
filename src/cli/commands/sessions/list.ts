import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { shortLength } from "../../../store/id-prefix.ts";
import { localBytes } from "../../../store/local-files.ts";
import { openSessionArchive, type SessionArchive } from "../../../store/session-archive.ts";
import type { GlobalFlags } from "../../options.ts";
import { dollars, renderNote, renderOptionsFor } from "../../render.ts";
import { shownPath } from "../../shown-path.ts";
import { EXIT } from "../../signals.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { readBooks } from "./books.ts";
import { sizeText, timeText, tokensText } from "./figures.ts";
import { type Place, placeOf } from "./place.ts";
import { type TableColumn, tableLines } from "./table.ts";

/** Nothing is gained by a wider table; a reader that is no terminal gets all of it. */
const MAX_WIDTH = 200;
const MIN_WIDTH = 40;

/** `flower sessions`: one line for each session of the run directory, the most recently active first. */
export function listSessions(flags: GlobalFlags, terminal: Terminal): number {
  const place = placeOf(flags);
  const lines = linesOf(place, {
    width: Math.max(MIN_WIDTH, Math.min(terminal.output.columns ?? MAX_WIDTH, MAX_WIDTH)),
    whole: flags.verbose ?? false,
  });
  if (lines.length === 0) {
    const say = sessionsMessages[place.lang];
    const render = renderOptionsFor(terminal, place.lang, false);
    printLine(terminal, renderNote("system", say.none(shownPath(place.runDir)), render));
  }
  for (const line of lines) printLine(terminal, line);
  return EXIT.done;
}

function linesOf(place: Place, look: { readonly width: number; readonly whole: boolean }): string[] {
  const archive = openSessionArchive(place.database, { lang: place.lang });
  if (archive === undefined) return [];
  try {
    const table = tableOf(archive, place, look.whole);
    return table.some(({ cells }) => cells.length > 0) ? tableLines(table, look.width) : [];
  } finally {
    archive.close();
  }
}

function tableOf(archive: SessionArchive, place: Place, whole: boolean): readonly TableColumn[] {
  const { columns } = sessionsMessages[place.lang];
  const sessions = archive.sessions();
  const books = readBooks(place.runDir);
  const length = whole ? undefined : shortLength(sessions.map(({ sessionId }) => sessionId));
  const rows = sessions.map((session) => {
    const booked = books.of(session.sessionId);
    return {
      id: session.sessionId.slice(0, length),
      step: booked.step ?? "-",
      when: timeText(session.lastActiveMs),
      turns: String(booked.turns ?? archive.turnsOf(session)),
      context: tokensText(archive.contextOf(session)),
      cost: booked.costUsd === undefined ? "-" : dollars(booked.costUsd),
      size: sizeText(session.bytes + localBytes(place.configDirectory, session)),
    };
  });
  type Name = keyof typeof columns;
  const column = (name: Name, look: Pick<TableColumn, "align" | "leaves" | "atLeast">): TableColumn => ({
    title: columns[name],
    cells: rows.map((row) => row[name]),
    ...look,
  });
  return [
    column("id", { align: "left" }),
    column("step", { align: "left", atLeast: 8, leaves: 6 }),
    column("when", { align: "left", leaves: 5 }),
    column("turns", { align: "right", leaves: 1 }),
    column("context", { align: "right", leaves: 2 }),
    column("cost", { align: "right", leaves: 4 }),
    column("size", { align: "right", leaves: 3 }),
  ];
}
