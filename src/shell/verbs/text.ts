import { checkAwk } from "../checkers/awk.ts";
import { checkSed } from "../checkers/sed.ts";
import type { OptionTable } from "../options.ts";
import { checked, harmless, only, type VerbRule } from "../rules.ts";

/**
 * A table although GNU grep has no harmful option: Claude Code's native build puts a `grep` function in front of
 * it that is ugrep, which has (`--filter`, `--pager`, `--view`, `--save-config`, `-Q`).
 */
const GREP: OptionTable = {
  flags: "abcEFGhHiIlLnoPqrRsTUvwxy",
  values: "ABCefm",
  long: [
    "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp",
    "count files-with-matches files-without-match only-matching quiet silent no-messages byte-offset with-filename",
    "no-filename line-number initial-tab text recursive dereference-recursive invert-match line-buffered binary",
  ].join(" "),
  longValues:
    "regexp file max-count label after-context before-context context include exclude exclude-from exclude-dir binary-files",
  longAttached: "color colour",
  numeric: true,
};

const RIPGREP: OptionTable = {
  flags: "abcFHiIlLnNopPqSsuUvwx0.",
  values: "ABCdefgmMjrtTE",
  long: [
    "text byte-offset case-sensitive column count count-matches files files-with-matches files-without-match",
    "fixed-strings follow glob-case-insensitive heading hidden ignore-case invert-match json line-number line-regexp",
    "max-columns-preview multiline multiline-dotall no-config no-filename no-heading no-ignore no-ignore-dot",
    "no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages",
    "no-mmap no-column null null-data one-file-system only-matching passthru pcre2 pretty quiet smart-case stats trim",
    "type-list unrestricted vimgrep with-filename word-regexp crlf binary no-binary",
  ].join(" "),
  longValues: [
    "after-context before-context context color colors context-separator encoding engine file glob iglob max-columns",
    "max-count max-depth max-filesize path-separator regexp replace sort sortr threads type type-add type-not",
  ].join(" "),
};

const DIFF: OptionTable = {
  flags: "abBcdeEfinNpqrstTuwyZ",
  values: "CUWxXFDSLI",
  long: [
    "brief report-identical-files side-by-side left-column suppress-common-lines recursive new-file ignore-case text",
    "ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines minimal ed",
    "strip-trailing-cr expand-tabs initial-tab no-dereference rcs normal show-c-function speed-large-files",
    "suppress-blank-empty unidirectional-new-file",
  ].join(" "),
  longValues:
    "width label exclude exclude-from ignore-matching-lines show-function-line starting-file ifdef tabsize horizon-lines",
  longAttached: "context unified color",
};

/** Filters: text in, text out. */
export const TEXT: Readonly<Record<string, VerbRule>> = {
  grep: only("prints matching lines; only what GNU, BSD and ugrep agree on", GREP),
  egrep: only("grep -E", GREP),
  fgrep: only("grep -F", GREP),
  rg: only("prints matching lines; --pre, --hostname-bin and -z run programs", RIPGREP),
  sort: only("sorts; -o writes, --compress-program runs, -T writes elsewhere", {
    flags: "bdfghiMnRrVcCmsuz",
    values: "ktS",
    long: [
      "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting",
      "month-sort numeric-sort random-sort reverse version-sort merge stable unique zero-terminated debug",
    ].join(" "),
    longValues: "key field-separator buffer-size parallel sort",
    longAttached: "check",
  }),
  uniq: only(
    "drops repeated lines; a second operand is written to",
    {
      flags: "cdDiuz",
      values: "fsw",
      long: "count repeated unique ignore-case zero-terminated",
      longValues: "skip-fields skip-chars check-chars",
      longAttached: "all-repeated group",
    },
    { maxOperands: 1, optionsFirst: true },
  ),
  awk: checked("its language writes, runs and connects, so the program is read", checkAwk),
  gawk: checked("awk under its own name", checkAwk),
  mawk: checked("awk under its own name", checkAwk),
  nawk: checked("awk under its own name", checkAwk),
  sed: checked("its language writes and runs, so the script is read", checkSed),
  jq: harmless("its language only computes: no option writes, runs or connects"),
  diff: only("compares; -l runs pr", DIFF),
  cut: harmless("prints columns"),
  tr: harmless("translates characters"),
  paste: harmless("joins lines"),
  join: harmless("joins by field"),
  comm: harmless("compares sorted lines"),
  column: harmless("aligns columns"),
  nl: harmless("numbers lines"),
  tac: harmless("prints lines backwards"),
  rev: harmless("reverses lines"),
  fold: harmless("wraps lines"),
  fmt: harmless("wraps paragraphs"),
  expand: harmless("turns tabs into spaces"),
  unexpand: harmless("turns spaces into tabs"),
  seq: harmless("prints numbers"),
  expr: harmless("computes and prints"),
  numfmt: harmless("formats numbers"),
  // macOS: -i and -o name files, one of them to write.
  base64: only(
    "encodes; BSD's -o writes",
    { flags: "dD", values: "w", long: "decode", longValues: "wrap" },
    { maxOperands: 1, optionsFirst: true },
  ),
};
