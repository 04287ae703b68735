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

/** What is left of a text without its fenced code. */
export interface Unfenced {
  readonly lines: readonly string[];
  /** Indexes into `lines` (or its length) before which closed fences were removed. */
  readonly gaps: ReadonlySet<number>;
  /** The fence that nothing closed. */
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
  const gaps = new Set<number>();
  let open: Fence | undefined;
  for (const line of lines) {
    if (open !== undefined) {
      if (!closes(line, open)) continue;
      open = undefined;
      gaps.add(kept.length);
      continue;
    }
    open = openedFence(line);
    if (open === undefined) kept.push(line);
  }
  return { lines: kept, gaps, open };
}

/** What may stand after a fence that holds a whole reply; any other word names the language of code. */
const MARKDOWN = /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:md|markdown)[ \t]*$/i;

/** A text without the one Markdown fence that is all around it: models put a whole document into one. */
export function unwrapped(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (!MARKDOWN.test(lines[first] ?? "")) return lines;
  const { lines: around, open } = withoutFences(lines.slice(first, last));
  const fence = openedFence(lines[first] ?? "");
  // Still the first fence that is open, or the text holds more than this one.
  const alone =
    open !== undefined && around.length === 0 && fence !== undefined && closes(lines[last] ?? "", fence);
  return alone ? lines.slice(first + 1, last) : lines;
}

/** The line that ends `fence`. */
export function closingLine(fence: Fence): string {
  return fence.character.repeat(fence.length);
}
