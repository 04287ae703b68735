import { type Assignment, parseCommands, type Redirection, type SimpleCommand } from "./parse.ts";
import { allows } from "./rules.ts";
import { VERBS } from "./verbs/verbs.ts";

/**
 * Whether a Bash command is a glance: it looks, its result goes stale, and it changes nothing.
 *
 * The one answer to two questions: what a coordinator may run itself, and whose results expire. There is no
 * second list anywhere, so the two sets cannot drift apart.
 *
 * Contract: pure; never throws; a yes means that every verb, sub-verb, option, word, redirection and environment
 * prefix stands in the tables under `verbs/`; whatever is unknown, unreadable, too long or too deep is a no. A
 * wrong no costs the start of a subagent, a wrong yes would be a hole.
 *
 * What it cannot see, because it is not in the text: aliases and functions of the user's shell, the tools' own
 * configuration (a repository's `core.fsmonitor`, `diff.external`, a kubeconfig), and where `PATH` leads. These
 * belong to the user and to workers, who may run anything anyway.
 */
export function isEphemeral(command: string): boolean {
  const commands = parseCommands(command, isKnown);
  return commands?.every(isGlance) ?? false;
}

function isKnown(verb: string): boolean {
  return VERBS.has(verb);
}

function isGlance(command: SimpleCommand): boolean {
  const rule = VERBS.get(command.verb);
  if (rule === undefined) return false;
  if (!command.assignments.every(isInert) || !command.redirections.every(isDiscardOrDuplicate)) return false;
  return allows(rule, command.words);
}

/**
 * Variables that change only how output looks, with the values they may have. Everything else in front of a verb
 * can change what it does (`GIT_*`, `PAGER`, `LD_PRELOAD`, `PATH`, …).
 */
const INERT_VARIABLES: ReadonlyMap<string, RegExp> = new Map([
  // Locale names, never paths to locale files.
  ["LANG", /^[\w.@-]*$/],
  ["LC_ALL", /^[\w.@-]*$/],
  ["LC_COLLATE", /^[\w.@-]*$/],
  ["LC_CTYPE", /^[\w.@-]*$/],
  ["LC_MESSAGES", /^[\w.@-]*$/],
  ["LC_NUMERIC", /^[\w.@-]*$/],
  ["LC_TIME", /^[\w.@-]*$/],
  // Zone names: `:file` and `/file` would be read as zone files.
  ["TZ", /^[A-Za-z][\w+-]*(?:\/[A-Za-z][\w+-]*)*$/],
  ["COLUMNS", /^\d*$/],
  ["LINES", /^\d*$/],
  ["NO_COLOR", /^\w*$/],
]);

function isInert({ name, value }: Assignment): boolean {
  return value.kind === "static" && INERT_VARIABLES.get(name)?.test(value.text) === true;
}

/** Output thrown away, input from nowhere, or one descriptor joined to another. Anything else names a file. */
function isDiscardOrDuplicate({ operator, target }: Redirection): boolean {
  if (target.kind !== "static") return false;
  switch (operator) {
    case ">":
    case ">>":
    case ">|":
    case "<":
    case "&>":
    case "&>>":
      return target.text === "/dev/null";
    case ">&":
      return /^(?:\d+|-|\/dev\/null)$/.test(target.text);
    case "<&":
      return /^(?:\d+|-)$/.test(target.text);
    default:
      return false;
  }
}
