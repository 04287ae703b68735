/**
 * The command of an executable check: what stands after `run:` in a code span at the very end of the item (SPEC
 * 20.24). A full stop may follow it; anything else (an unverifiable marker, more words) means that there is none.
 * The span may have more than one backtick on each side, for commands that hold one.
 */
export function commandOf(check: string): string | undefined {
  if (check.length > MAX_CHECK_CHARS) return undefined;
  const [, command] = /^\s*run\s*[:：](.*)$/is.exec(lastSpan(withoutFullStop(check)) ?? "") ?? [];
  const trimmed = command?.trim();
  // A control character is no command line: it could not be started (NUL), or would be more than one line.
  return trimmed === undefined || trimmed === "" || /[^\P{Cc}\t]/u.test(trimmed) ? undefined : trimmed;
}

/** Longer than any check that a person would read; keeps a hostile one cheap. */
const MAX_CHECK_CHARS = 8_000;

function withoutFullStop(check: string): string {
  return check
    .trimEnd()
    .replace(/[.。]$/, "")
    .trimEnd();
}

/** The content of the code span that ends the text; spans pair up from the left, as in CommonMark. */
function lastSpan(text: string): string | undefined {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  for (let at = 0; at < runs.length; at += 1) {
    const opening = runs[at];
    const closingAt = runs.findIndex((run, index) => index > at && run.length === opening?.length);
    const closing = runs[closingAt];
    if (opening === undefined || closing === undefined) continue;
    if (closing.start + closing.length === text.length) {
      return text.slice(opening.start + opening.length, closing.start);
    }
    at = closingAt;
  }
  return undefined;
}
