import type { OptionTable, ReadWords } from "../options.ts";
import { staticText, type Word } from "../word.ts";

/** What git's diff machinery understands, wherever it shows a change. Not --output, --ext-diff, --textconv, -O. */
export const DIFF: OptionTable = {
  flags: "pusabwzRWcmtDr",
  values: "SGI",
  attached: "UMCBX",
  long: [
    "patch no-patch raw patch-with-raw numstat shortstat summary patch-with-stat compact-summary name-only name-status",
    "no-color no-color-moved no-renames no-rename-empty find-copies-harder minimal patience histogram",
    "irreversible-delete text binary full-index no-prefix default-prefix",
    "ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context",
    "exit-code quiet no-ext-diff no-textconv pickaxe-all pickaxe-regex no-relative check cached staged merge-base cc",
    "combined-all-paths no-index no-indent-heuristic indent-heuristic",
  ].join(" "),
  longValues: [
    "color-moved-ws ws-error-highlight diff-algorithm anchored inter-hunk-context word-diff-regex diff-filter find-object src-prefix dst-prefix",
    "line-prefix ignore-matching-lines stat-width stat-name-width stat-graph-width stat-count",
  ].join(" "),
  longAttached: [
    "stat dirstat unified color color-moved word-diff color-words find-renames find-copies",
    "break-rewrites abbrev relative ignore-submodules submodule",
  ].join(" "),
};

/** Which commits, and how each is shown. Not --show-signature and --remerge-diff (run gpg, write objects). */
export const LOG: OptionTable = {
  flags: "iEFPgcmz",
  values: "nL",
  numeric: true,
  long: [
    "all reflog merge boundary merges no-merges first-parent not reverse topo-order date-order author-date-order",
    "simplify-by-decoration full-history dense sparse simplify-merges show-pulls remove-empty",
    "left-right left-only right-only cherry-pick cherry-mark cherry oneline abbrev-commit no-abbrev-commit no-abbrev",
    "graph no-graph no-decorate parents children source follow full-diff log-size walk-reflogs relative-date",
    "no-notes mailmap use-mailmap no-mailmap regexp-ignore-case basic-regexp extended-regexp fixed-strings",
    "perl-regexp all-match invert-grep no-walk ignore-missing clear-decorations no-expand-tabs",
  ].join(" "),
  longValues: [
    "max-count skip since after until before since-as-filter author committer grep grep-reflog min-parents max-parents",
    "date encoding glob exclude decorate-refs decorate-refs-exclude",
  ].join(" "),
  longAttached: "branches tags remotes ancestry-path pretty decorate notes expand-tabs",
  longEquals: "format",
};

/** How refs are listed. */
export const REFS: OptionTable = {
  flags: "i",
  long: "ignore-case no-color no-column omit-empty",
  longValues: "sort format points-at",
  longAttached: "color column abbrev",
  longLast: "contains no-contains merged no-merged",
};

/** With one of these an operand is a pattern or a commit, not a name to create. `-l` meant something else before 2.20. */
export const LISTING = ["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

/** Placeholders that verify signatures, and so run the configured gpg program (`%G?`, `%-GS`, the key `signature`). */
const VERIFYING = /%[-+ ]?G|%\(\*?signature/;
const VERIFYING_KEY = /signature/;
const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ["--format", VERIFYING],
  ["--pretty", VERIFYING],
  ["--group", VERIFYING],
  ["--sort", VERIFYING_KEY],
]);

/** Whether every output format and sort key is known and verifies no signature. */
export function formatsVerifyNothing({ options }: ReadWords): boolean {
  return options.every(({ name, value }) => {
    const verifying = FORMATS.get(name);
    if (verifying === undefined || value === undefined) return true;
    const format = staticText(value);
    return format !== undefined && !verifying.test(format);
  });
}

/**
 * Whether the words behind a sub-verb do not begin with `--help`: git turns `git x --help -w` into `git help -w x`,
 * which starts a browser or whatever the configuration names.
 */
export function asksNoHelp(words: readonly Word[]): boolean {
  const [first] = words;
  if (first === undefined) return true;
  return first.kind === "static" ? first.text !== HELP : !HELP.startsWith(first.prefix);
}
const HELP = "--help";
