/** An open code fence, as CommonMark defines it. */
export interface Fence {
  readonly character: "`" | "~";
  /** How many characters open it; at least as many close it. */
  readonly length: number;
  /** Columns taken by list markers before it (`1. ` + fence), by which its closing line may be indented further. */
  readonly column: number;
}

/** Five spaces after a marker begin indented code. */
const LIST_MARKERS = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4}(?! ))+/;
const OPENING = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const CLOSING = /^( *)(`{3,}|~{3,})[ \t]*$/;

/**
 * The fence that `line` opens when none is open. At most three spaces may stand before it, and list markers;
 * deeper ones, inside nested lists, are left alone: indented that far, their content cannot open a section.
 */
export function openedFence(line: string): Fence | undefined {
  const markers = LIST_MARKERS.exec(line)?.[0] ?? "";
  const found = OPENING.exec(line.slice(markers.length));
  const [, backticks, tildes] = found ?? [];
  if (backticks !== undefined) return { character: "`", length: backticks.length, column: markers.length };
  if (tildes !== undefined) return { character: "~", length: tildes.length, column: markers.length };
  return undefined;
}

function closes(line: string, fence: Fence): boolean {
  const [, indent, run] = CLOSING.exec(line) ?? [];
  if (indent === undefined || run === undefined) return false;
  return indent.length <= fence.column + 3 && run.startsWith(fence.character) && run.length >= fence.length;
}

/** What is left of a text without its fenced code, and the fence that nothing closed. */
export interface Unfenced {
  readonly lines: readonly string[];
  readonly open: Fence | undefined;
}

/**
 * Removes fenced code, fences included.
 *
 * Contract: a fence that is never closed takes everything after it with it. A model that pastes a file and is cut
 * off in the middle of it must not have the file's content read as sections.
 */
export function withoutFences(lines: readonly string[]): Unfenced {
  const kept: string[] = [];
  let open: Fence | undefined;
  for (const line of lines) {
    if (open !== undefined) {
      if (closes(line, open)) open = undefined;
      continue;
    }
    open = openedFence(line);
    if (open === undefined) kept.push(line);
  }
  return { lines: kept, open };
}

/** The line that ends `fence`. */
export function closingLine(fence: Fence): string {
  return fence.character.repeat(fence.length);
}
