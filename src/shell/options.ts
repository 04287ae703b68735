import { isSafeOperand, type Word } from "./word.ts";

/**
 * The options of a verb that a glance may use. What is not listed is refused, abbreviations of long options
 * included, so a table never has to know what a tool could do, only what we have looked at.
 */
export interface OptionTable {
  /** Letters without a value; may stand in one cluster (`-la`). */
  readonly flags?: string;
  /** Letters with a value, attached or in the next word (`-n5`, `-n 5`). */
  readonly values?: string;
  /** Letters whose value, if any, is attached (`-M`, `-M90%`). */
  readonly attached?: string;
  /** Letters whose value is the next word and never attached (tree reads `-Lo 2 f` as `-L 2 -o f`). */
  readonly separate?: string;
  /** Words behind one dash that are one option without a value, separated by spaces (`ps` for xxd's `-ps`). */
  readonly words?: string;
  /**
   * The program knows no clusters: it compares the beginning of a word (xxd reads `-psx` as `-p`). A letter stands
   * alone, and an attached value begins with a figure, so that it cannot be the rest of a longer spelling.
   */
  readonly unclustered?: true;
  /** Long options without a value, separated by spaces. */
  readonly long?: string;
  /** Long options with a value (`--since=x`, `--since x`). */
  readonly longValues?: string;
  /** Long options whose value, if any, is attached (`--color`, `--color=never`). */
  readonly longAttached?: string;
  /** Long options whose value must be attached: some program reads the next word as an operand all the same. */
  readonly longEquals?: string;
  /** Long options that take the next word as a value if there is one (git's `--contains`, `--contains x`). */
  readonly longLast?: string;
  /** `-20` is an option by itself. */
  readonly numeric?: true;
}

export interface Options {
  readonly letters: ReadonlyMap<string, OptionShape>;
  readonly long: ReadonlyMap<string, OptionShape>;
  readonly words: ReadonlySet<string>;
  readonly unclustered: boolean;
  readonly numeric: boolean;
}

type OptionShape = "flag" | "value" | "attached" | "separate" | "equals" | "last";

/** One option that was used, with its value if it has one. */
export interface UsedOption {
  /** `-n`, `--name`, or `-5` for a numeric one. */
  readonly name: string;
  readonly value: Word | undefined;
}

export interface ReadWords {
  readonly options: readonly UsedOption[];
  readonly operands: readonly Word[];
}

/** Joins tables (git's log options, git's diff options, a verb's own) into one that can be looked up. */
export function options(...tables: readonly OptionTable[]): Options {
  const letters = new Map<string, OptionShape>();
  const long = new Map<string, OptionShape>();
  for (const table of tables) {
    for (const letter of table.flags ?? "") letters.set(letter, "flag");
    for (const letter of table.values ?? "") letters.set(letter, "value");
    for (const letter of table.attached ?? "") letters.set(letter, "attached");
    for (const letter of table.separate ?? "") letters.set(letter, "separate");
    for (const name of names(table.long)) long.set(name, "flag");
    for (const name of names(table.longValues)) long.set(name, "value");
    for (const name of names(table.longAttached)) long.set(name, "attached");
    for (const name of names(table.longEquals)) long.set(name, "equals");
    for (const name of names(table.longLast)) long.set(name, "last");
  }
  return {
    letters,
    long,
    words: new Set(tables.flatMap((table) => names(table.words))),
    unclustered: tables.some((table) => table.unclustered === true),
    numeric: tables.some((table) => table.numeric === true),
  };
}

function names(list: string | undefined): readonly string[] {
  return (list ?? "").split(" ").filter((name) => name !== "");
}

/** How many words, from where, belong to one option; undefined when it is not allowed. */
interface Taken {
  readonly used: readonly UsedOption[];
  readonly words: 1 | 2;
}

export interface ReadLimits {
  /** Stop before the first operand: what follows belongs to a sub-verb. */
  readonly stopAtOperand?: boolean;
}

/**
 * Splits words into options and operands as getopt does: options anywhere until `--`. Undefined when an option
 * is not in the table, or a word may turn out to be an option (`$x`, `*`) and no `--` stands before it.
 */
export function readWords(
  table: Options,
  words: readonly Word[],
  limits: ReadLimits = {},
): ReadWords | undefined {
  const used: UsedOption[] = [];
  const operands: Word[] = [];
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    if (word.kind === "static" && word.text === "--") {
      if (limits.stopAtOperand === true) return undefined;
      return { options: used, operands: [...operands, ...words.slice(index + 1)] };
    }
    const taken = takeOption(table, word, words[index + 1]);
    if (taken !== undefined) {
      used.push(...taken.used);
      index += taken.words;
    } else if (!isSafeOperand(word)) {
      return undefined;
    } else if (limits.stopAtOperand === true) {
      return { options: used, operands: words.slice(index) };
    } else {
      operands.push(word);
      index += 1;
    }
  }
  return { options: used, operands };
}

function takeOption(table: Options, word: Word, next: Word | undefined): Taken | undefined {
  const text = word.kind === "static" ? word.text : word.prefix;
  if (text.startsWith("--")) return takeLong(table, word, next);
  if (word.kind !== "static" || !text.startsWith("-") || text === "-") return undefined;
  if (table.numeric && /^-\d+$/.test(text)) return { used: [{ name: text, value: undefined }], words: 1 };
  if (table.words.has(text.slice(1))) return { used: [{ name: text, value: undefined }], words: 1 };
  if (table.unclustered && !/^-[A-Za-z](?:\d\w*)?$/.test(text)) return undefined;
  return takeLetters(table, text, next);
}

function takeLong(table: Options, word: Word, next: Word | undefined): Taken | undefined {
  const text = word.kind === "static" ? word.text : word.prefix;
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  // Of a dynamic word at least the whole name must be known: `--$x` could be anything.
  if (word.kind === "dynamic" && equals < 0) return undefined;
  const shape = table.long.get(name.slice(2));
  if (shape === undefined) return undefined;
  if (equals >= 0) {
    if (shape === "flag") return undefined;
    const rest = text.slice(equals + 1);
    const value: Word = word.kind === "static" ? { kind: "static", text: rest } : { ...word, prefix: rest };
    return { used: [{ name, value }], words: 1 };
  }
  if (shape === "equals") return undefined;
  if (shape === "value" || (shape === "last" && next !== undefined)) return takeNext(name, next);
  return { used: [{ name, value: undefined }], words: 1 };
}

function takeLetters(table: Options, text: string, next: Word | undefined): Taken | undefined {
  const used: UsedOption[] = [];
  for (let index = 1; index < text.length; index += 1) {
    const letter = text.charAt(index);
    const name = `-${letter}`;
    const rest = text.slice(index + 1);
    const shape = table.letters.get(letter);
    if (shape === undefined) return undefined;
    if (shape === "flag") {
      used.push({ name, value: undefined });
    } else if (shape === "attached" || (shape === "value" && rest !== "")) {
      const value: Word | undefined = rest === "" ? undefined : { kind: "static", text: rest };
      return { used: [...used, { name, value }], words: 1 };
    } else {
      if (rest !== "") return undefined;
      const taken = takeNext(name, next);
      return taken === undefined ? undefined : { used: [...used, ...taken.used], words: 2 };
    }
  }
  return { used, words: 1 };
}

/**
 * The next word as a value. It must not look like an option: should a tool (another version, another system)
 * not take a value here after all, it would read that word as one.
 */
function takeNext(name: string, next: Word | undefined): Taken | undefined {
  if (next === undefined) return undefined;
  const fits =
    next.kind === "static"
      ? isSafeOperand(next) || /^-\d+$/.test(next.text)
      : next.fields === "one" && isSafeOperand(next);
  return fits ? { used: [{ name, value: next }], words: 2 } : undefined;
}
