import picocolors from "picocolors";
import wrapAnsi from "wrap-ansi";
import { firstCodePoints, oneLine, plainText, truncateColumns } from "../base/text.ts";

/** ASCII, so that every terminal and every log has them (SPEC 17). In the order in which `--help` explains them. */
export const ICONS = {
  wake: "<-",
  step: "=",
  call: ">",
  ok: "+",
  failed: "x",
  text: "*",
  system: ".",
  task: "#",
  subagent: "|",
  thinking: "~",
  ask: "?",
  error: "!",
  handoff: "-",
} as const;

export type Icon = keyof typeof ICONS;

export type Color = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

export interface LineOptions {
  /** Columns a line may take. */
  readonly width: number;
  readonly colors: boolean;
}

/**
 * Of one line of text no more than this is shown: wrapping takes seconds where a tool prints a megabyte without a
 * line break, and nobody reads that. The transcript has all of it.
 */
const MAX_LINE_CHARS = 4000;

/** An error is given this many lines, and then cut. */
const MAX_ERROR_LINES = 3;

/** Lines of one event: icon, indentation of a subagent, text within the width, no control sequence but our colours. */
export class Lines {
  readonly #options: LineOptions;
  readonly #prefix: string;

  constructor(options: LineOptions, depth: number) {
    this.#options = options;
    this.#prefix = `${ICONS.subagent} `.repeat(depth);
  }

  /** The text on one line, cut at the width. */
  one(icon: Icon, text: string, color?: Color): string[] {
    const body = shorten(oneLine(text));
    return body === "" ? [] : [this.#paint(icon, truncateColumns(body, this.#room(icon)), color)];
  }

  /** The text as one paragraph on the few lines that an error is worth. */
  few(icon: Icon, text: string, color?: Color): string[] {
    const room = this.#room(icon);
    const all = wrap(shorten(oneLine(text)), room).filter((line) => line !== "");
    const shown = all.slice(0, MAX_ERROR_LINES);
    const last = shown.at(-1);
    if (all.length > shown.length && last !== undefined)
      shown[shown.length - 1] = truncateColumns(`${last} …`, room);
    return shown.map((line) => this.#paint(icon, line, color));
  }

  /** The text on one line, never cut: a path must stay whole to be of use. */
  whole(icon: Icon, text: string, color?: Color): string {
    return this.#paint(icon, plainText(text).replaceAll("\n", " ").trim(), color);
  }

  /** Every line of the text, wrapped at the width; empty ones are left out. */
  block(icon: Icon, text: string, color?: Color): string[] {
    return plainText(text)
      .split("\n")
      .map((line) => shorten(line.trimEnd()))
      .filter((line) => line !== "")
      .flatMap((line) => wrap(line, this.#room(icon)))
      .map((line) => this.#paint(icon, line, color));
  }

  #room(icon: Icon): number {
    return Math.max(10, this.#options.width - this.#prefix.length - ICONS[icon].length - 1);
  }

  #paint(icon: Icon, text: string, color: Color | undefined): string {
    const line = `${this.#prefix}${ICONS[icon]} ${text}`;
    if (!this.#options.colors || color === undefined) return line;
    return picocolors.createColors(true)[color](line);
  }
}

function shorten(line: string): string {
  const shown = firstCodePoints(line, MAX_LINE_CHARS);
  return shown === line ? line : `${shown}…`;
}

/** Wrapped between words where it can be; what was indented stays so on each of its lines. */
function wrap(line: string, room: number): string[] {
  const text = line.trimStart();
  const indent = " ".repeat(Math.min(line.length - text.length, Math.floor(room / 3)));
  return wrapAnsi(text, room - indent.length, { hard: true })
    .split("\n")
    .map((part) => `${indent}${part.trimEnd()}`);
}
