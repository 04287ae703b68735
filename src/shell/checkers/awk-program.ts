import { regexEnd } from "./delimited.ts";

/**
 * Whether an awk program can neither write, execute nor open anything.
 *
 * Read as awk reads it (strings, regular expressions, comments), because `>` and `|` are harmless inside those
 * and in comparisons. Where awks differ, or where only awk's parser could tell a division from a regular
 * expression, the answer is no. A program that awk itself would reject runs nothing, so it may pass.
 */
export function isReadOnlyAwk(program: string): boolean {
  let state: State = { at: 0, before: "operator", printing: false, brackets: [] };
  while (state.at < program.length) {
    const next = step(program, state);
    if (next === undefined) return false;
    state = next;
  }
  return true;
}

interface State {
  readonly at: number;
  /** What stood before decides whether a slash divides or begins a regular expression. */
  readonly before: "operand" | "operator" | "control" | "unclear" | "control-word";
  /** Inside a print statement outside of brackets `>` writes to a file. */
  readonly printing: boolean;
  /** Open brackets; `control` is the condition of an if, while, for or switch. */
  readonly brackets: readonly ("control" | "group")[];
}

/**
 * Words that execute, read from elsewhere, or reach such things by name: `getline` opens files and pipes, `ARGV`
 * names the files that are read (gawk also opens network addresses), the tables of gawk call functions by name.
 */
const FORBIDDEN_WORDS: ReadonlySet<string> = new Set([
  "system",
  "getline",
  "ARGV",
  "ARGC",
  "PROCINFO",
  "SYMTAB",
  "FUNCTAB",
]);
const CONTROL_WORDS: ReadonlySet<string> = new Set(["if", "while", "for", "switch"]);
/** Behind these an expression begins. */
const EXPRESSION_WORDS: ReadonlySet<string> = new Set([
  "print",
  "printf",
  "return",
  "exit",
  "else",
  "do",
  "case",
  "in",
]);
/** May stand without brackets, so that only awk's parser knows whether a slash behind them divides. */
const BARE_FUNCTIONS: ReadonlySet<string> = new Set([
  "length",
  "rand",
  "srand",
  "int",
  "sqrt",
  "exp",
  "log",
  "sin",
  "cos",
  "atan2",
  "systime",
  "toupper",
  "tolower",
  "fflush",
]);

function step(program: string, state: State): State | undefined {
  const char = program.charAt(state.at);
  if (/[A-Za-z_]/.test(char)) return word(program, state);
  if (/[0-9.]/.test(char)) return { ...state, at: endOf(/[0-9.]+/y, program, state.at), before: "operand" };
  switch (char) {
    case " ":
    case "\t":
      return { ...state, at: state.at + 1 };
    case "\\":
      // Only a continued line; anything else is a syntax error in one awk and an escape in another.
      return program.charAt(state.at + 1) === "\n" ? { ...state, at: state.at + 2 } : undefined;
    case "#":
      return { ...state, at: endOf(/[^\n]*/y, program, state.at) };
    case '"':
      return string(program, state);
    case "/":
      return slash(program, state);
    case "\n":
      // Inside brackets some awks go on reading and some do not.
      return state.brackets.length > 0 ? undefined : { ...state, at: state.at + 1, before: "operator" };
    default:
      return punctuation(program, state, char);
  }
}

function word(program: string, state: State): State | undefined {
  const end = endOf(/[A-Za-z0-9_]+/y, program, state.at);
  const text = program.slice(state.at, end);
  if (FORBIDDEN_WORDS.has(text)) return undefined;
  if (CONTROL_WORDS.has(text)) return { ...state, at: end, before: "control-word" };
  if (BARE_FUNCTIONS.has(text)) return { ...state, at: end, before: "unclear" };
  const prints = text === "print" || text === "printf";
  // In the brackets of a for loop `print > "f"` is a statement that writes; in others it is none at all.
  if (prints && state.brackets.length > 0) return undefined;
  const printing = state.printing || prints;
  return { ...state, at: end, printing, before: EXPRESSION_WORDS.has(text) ? "operator" : "operand" };
}

function string(program: string, state: State): State | undefined {
  for (let at = state.at + 1; at < program.length; at += 1) {
    const char = program.charAt(at);
    if (char === "\n") return undefined;
    if (char === '"') return { ...state, at: at + 1, before: "operand" };
    if (char === "\\") {
      at += 1;
      if (program.charAt(at) === "\n") return undefined;
    }
  }
  return undefined;
}

function slash(program: string, state: State): State | undefined {
  switch (state.before) {
    case "operand":
      return { ...state, at: state.at + 1, before: "operator" };
    case "operator": {
      const end = regexEnd(program, state.at + 1, "/");
      return end === undefined ? undefined : { ...state, at: end, before: "operand" };
    }
    case "control":
    case "unclear":
    case "control-word":
      return undefined;
  }
}

function punctuation(program: string, state: State, char: string): State | undefined {
  const at = state.at + 1;
  switch (char) {
    case "(": {
      const kind = state.before === "control-word" ? "control" : "group";
      return { ...state, at, before: "operator", brackets: [...state.brackets, kind] };
    }
    case ")": {
      const closed = state.brackets.at(-1);
      if (closed === undefined) return undefined;
      const before = closed === "control" ? "control" : "operand";
      return { ...state, at, before, brackets: state.brackets.slice(0, -1) };
    }
    case "]":
      return { ...state, at, before: "operand" };
    case ";":
    case "}":
      // `;` inside brackets belongs to a for loop; outside it ends the statement.
      return { ...state, at, before: "operator", printing: state.printing && state.brackets.length > 0 };
    case ">":
      if (program.charAt(at) === ">") return undefined;
      return state.printing && state.brackets.length === 0 ? undefined : { ...state, at, before: "operator" };
    case "|":
      return program.charAt(at) === "|" ? { ...state, at: at + 1, before: "operator" } : undefined;
    case "+":
    case "-":
      // `x++ / 2` divides, `++ /x/` does not: left to awk.
      if (program.charAt(at) === char) return { ...state, at: at + 1, before: "unclear" };
      return { ...state, at, before: "operator" };
    case "$":
      return { ...state, at, before: "unclear" };
    case "[":
    case "{":
    case "*":
    case "%":
    case "^":
    case "!":
    case "<":
    case "=":
    case "~":
    case "&":
    case "?":
    case ":":
    case ",":
      return { ...state, at, before: "operator" };
    default:
      // `@` calls functions by name and loads files; the rest is not awk.
      return undefined;
  }
}

/** Where the match of a sticky pattern that begins at `at` ends. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? at : at + match[0].length;
}
