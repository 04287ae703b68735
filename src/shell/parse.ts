/**
 * The only file that knows the bash parser (unbash 6.0.4): source text in, a flat list of simple commands out.
 *
 * Whatever is not a list of simple commands (loops, conditionals, functions, groups, subshells, substitutions,
 * arithmetic, here-documents, background jobs, anything the parser repaired or we do not know) has no
 * representation here, and what cannot be represented is never a glance.
 */
import {
  type AssignmentPrefix,
  type Command,
  type DoubleQuotedChild,
  type DoubleQuotedPart,
  type ParameterExpansionPart,
  type Redirection as ParsedRedirection,
  type Word as ParsedWord,
  type PipelineNode,
  parse,
  type Statement,
  type WordPart,
} from "unbash";
import { fills, isCovered, type Span } from "./coverage.ts";
import { isWithinLimits } from "./limits.ts";
import { appendBare, appendQuoted, type Place } from "./literal.ts";
import {
  emptyWord,
  finishWord,
  type Word,
  type WordBuilder,
  withPattern,
  withSplit,
  withText,
  withUnknown,
} from "./word.ts";

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** `operator` as bash spells it (`>`, `>&`, `&>>`, …), without the descriptor in front of it. */
export interface Redirection {
  readonly operator: string;
  readonly target: Word;
}

/** One verb with its words. How it is joined to its neighbours does not matter: each must be a glance by itself. */
export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly verb: string;
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

/**
 * The simple commands of `source`, in order; undefined when it is more than that, or less (empty, only comments), or
 * when `isKnown` refuses one of its verbs, which spares reading the rest.
 *
 * Contract: never throws; nothing is executed or expanded; input over the limits is refused before parsing.
 */
export function parseCommands(
  source: string,
  isKnown: (verb: string) => boolean = () => true,
): readonly SimpleCommand[] | undefined {
  if (!isWithinLimits(source)) return undefined;
  try {
    const script = parse(source);
    if ((script.errors?.length ?? 0) > 0 || script.commands.length === 0) return undefined;
    const found: Found = { isKnown, commands: [], spans: [] };
    const complete = script.commands.every((statement) => collect(statement, found));
    return complete && isCovered(source, found.spans) ? found.commands : undefined;
  } catch {
    // unbash 6.0.4 can overflow the stack on a few thousand `f()`; a command that breaks the parser is no glance.
    return undefined;
  }
}

interface Found {
  readonly isKnown: (verb: string) => boolean;
  readonly commands: SimpleCommand[];
  /** Where in the source every word, assignment and redirection stood, in order. */
  readonly spans: Span[];
}

function collect(statement: Statement, found: Found): boolean {
  if (statement.background === true) return false;
  const { command } = statement;
  if (command.type !== "AndOr") return collectPipeline(command, found);
  return command.commands.every((part) => collectPipeline(part, found));
}

function collectPipeline(node: PipelineNode, found: Found): boolean {
  if (node.type === "Command") return collectCommand(node, found);
  if (node.type !== "Pipeline" || node.commands.length === 0) return false;
  // `!` only turns the exit code round; `time` is a measurement, not a glance.
  if (node.prefixes.some((prefix) => prefix.type !== "Negation")) return false;
  return node.commands.every((part) => part.type === "Command" && collectCommand(part, found));
}

function collectCommand(node: Command, found: Found): boolean {
  // Without a verb, an assignment would change the shell for everything behind it (`PATH=.; ls`).
  if (node.name === undefined) return false;
  const verb = verbOf(node.name);
  if (verb === undefined || !found.isKnown(verb)) return false;
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  found.spans.push(...node.prefix, node.name, ...node.suffix);
  for (const item of [...node.prefix, ...node.suffix]) {
    if (item.type === "Word") {
      const word = wordOf(item);
      if (word === undefined) return false;
      words.push(word);
    } else if (item.type === "Assignment") {
      const assignment = assignmentOf(item);
      if (assignment === undefined) return false;
      assignments.push(assignment);
    } else {
      const redirection = redirectionOf(item);
      if (redirection === undefined) return false;
      redirections.push(redirection);
    }
  }
  found.commands.push({ assignments, verb, words, redirections });
  return true;
}

function verbOf(name: ParsedWord): string | undefined {
  // A lone bracket is the verb `[`, not the beginning of a glob.
  if (name.text === "[") return "[";
  const word = wordOf(name);
  return word?.kind === "static" ? word.text : undefined;
}

function assignmentOf(node: AssignmentPrefix): Assignment | undefined {
  if (node.index !== undefined || node.append === true || node.value.type !== "Word") return undefined;
  const value = wordOf(node.value);
  return value === undefined ? undefined : { name: node.name, value };
}

function redirectionOf(node: ParsedRedirection): Redirection | undefined {
  if (node.type !== "Redirect" || node.target === undefined) return undefined;
  if (node.descriptor?.type === "FileDescriptorVariable") return undefined;
  const target = wordOf(node.target);
  return target === undefined ? undefined : { operator: node.operator, target };
}

function wordOf(node: ParsedWord): Word | undefined {
  const grown =
    node.parts === undefined ? appendBare(emptyWord, node.text, { last: true }) : walk(node, node.parts);
  if (grown === undefined) return undefined;
  // Two readings of the same quotes: where ours and the parser's differ, neither is to be trusted.
  if (grown.fields === "static" && grown.text !== node.value) return undefined;
  return finishWord(grown);
}

function walk(node: ParsedWord, parts: readonly WordPart[]): WordBuilder | undefined {
  if (!fills(parts, node)) return undefined;
  let word: WordBuilder | undefined = emptyWord;
  for (const [index, part] of parts.entries()) {
    if (isSubscript(parts, index)) return undefined;
    word = appendPart(word, part, { last: index === parts.length - 1 });
    if (word === undefined) return undefined;
  }
  return word;
}

function appendPart(word: WordBuilder, part: WordPart, place: Place): WordBuilder | undefined {
  switch (part.type) {
    case "Literal":
      return appendBare(word, part.text, place);
    case "SingleQuoted":
      return withText(word, part.value);
    case "DoubleQuoted":
      return appendDoubleQuoted(word, part);
    case "AnsiCQuoted":
      // Escapes are decoded by the shell's own rules and locale; plain text is plain text.
      return part.text.includes("\\") ? withUnknown(word) : withText(word, part.value);
    case "SimpleExpansion":
      return isPlainExpansion(part.text) || isListExpansion(part.text) ? withSplit() : undefined;
    case "ParameterExpansion":
      return isPlainParameter(part) ? withSplit() : undefined;
    case "Glob":
    case "BraceExpansion":
      return /[$`()<>]/.test(part.text) ? undefined : withPattern(word);
    case "LocaleString":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
      // An extended glob is in zsh a glob with qualifiers, which can run commands: `*(e:cmd:)`.
      return undefined;
    default:
      // A kind of part that this version does not have.
      return undefined;
  }
}

function appendDoubleQuoted(word: WordBuilder, quoted: DoubleQuotedPart): WordBuilder | undefined {
  const { parts, pos, end } = quoted;
  if (!fills(parts, { pos: pos + 1, end: end - 1 })) return undefined;
  let grown: WordBuilder | undefined = word;
  for (const [index, part] of parts.entries()) {
    if (isSubscript(parts, index)) return undefined;
    grown = appendQuotedPart(grown, part, { last: index === parts.length - 1 });
    if (grown === undefined) return undefined;
  }
  return grown;
}

function appendQuotedPart(word: WordBuilder, part: DoubleQuotedChild, place: Place): WordBuilder | undefined {
  switch (part.type) {
    case "Literal":
      return appendQuoted(word, part.text, place);
    case "SimpleExpansion":
      // "$@" is as many arguments as there are.
      if (isListExpansion(part.text)) return withSplit();
      return isPlainExpansion(part.text) ? withUnknown(word) : undefined;
    case "ParameterExpansion":
      return isPlainParameter(part) ? withUnknown(word) : undefined;
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return undefined;
    default:
      // A kind of part that this version does not have.
      return undefined;
  }
}

const NAME = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?#$!-])$/;

function isPlainExpansion(text: string): boolean {
  return NAME.test(text.slice(1));
}

function isListExpansion(text: string): boolean {
  return text === "$@" || text === "$*";
}

/**
 * `${name}` and nothing more. Everything else can assign (`:=`), run prompt escapes (`@P`) or evaluate
 * arithmetic, and with it a command hidden in a subscript (`${!x}`, `${x:y}`, `${a[i]}`).
 */
function isPlainParameter(part: ParameterExpansionPart): boolean {
  const plain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
  return plain && NAME.test(part.parameter);
}

/**
 * zsh reads `$x[…]` as a subscript, quoted or not, and evaluates it as arithmetic, which can assign `PATH`. The name
 * may be longer there than in bash: `$10`, `$xé`, and behind `$#` any other (`$#x[…]`, `$#-[…]`).
 */
const SUBSCRIPT = /^(?:\w|\P{ASCII})*\[/u;
const SUBSCRIPT_OF_COUNTED = /^[-#*@?$!=+^~:]?(?:\w|\P{ASCII})*\[/u;

/** Whether the part at `index` begins a subscript of the expansion before it. */
function isSubscript(parts: readonly WordPart[], index: number): boolean {
  const before = parts[index - 1];
  if (before?.type !== "SimpleExpansion") return false;
  const rest = parts.slice(index).map((part) => part.text);
  const sign = before.text === "$#" ? SUBSCRIPT_OF_COUNTED : SUBSCRIPT;
  return sign.test(rest.join("").replaceAll("\\\n", ""));
}
