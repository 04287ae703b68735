import type { ReadWords } from "../options.ts";
import { type CheckedRule, checked, type OptionLimits, only, subverbs, type VerbRule } from "../rules.ts";
import { staticText } from "../word.ts";
import { asksNoHelp, DIFF, formatsVerifyNothing, LISTING, LOG, REFS } from "./git-options.ts";

const history: OptionLimits = { check: formatsVerifyNothing };
const listing: OptionLimits = { operandsNeed: LISTING, check: formatsVerifyNothing };

/** Neither option nor operand can hurt, except the one that shows the manual. */
function prints(reason: string): CheckedRule {
  return checked(reason, asksNoHelp);
}

const log = only("prints history", [DIFF, LOG], history);
const diff = only("prints changes", DIFF);
const plumbingDiff = only("prints changes", [DIFF, LOG, { long: "root no-commit-id" }], history);

/**
 * `-C dir` is where coordinators look around (see `cd`). Not -c, --config-env and --exec-path= (name programs to
 * run), --git-dir and --work-tree (another repository's configuration), -p (a pager).
 */
export const GIT: VerbRule = subverbs("read-only sub-verbs; what is not listed may write, fetch or run", {
  globals: {
    flags: "Pv",
    separate: "C",
    long: "no-pager no-optional-locks no-replace-objects literal-pathspecs glob-pathspecs icase-pathspecs version",
  },
  bare: true,
  verbs: {
    status: only("prints the state of the working tree; refreshes only git's own cache", {
      flags: "sbvz",
      attached: "uM",
      long: "short branch long verbose show-stash null ahead-behind no-ahead-behind renames no-renames no-column",
      longAttached: "porcelain untracked-files ignored ignore-submodules column find-renames",
    }),
    diff,
    "diff-files": plumbingDiff,
    "diff-index": plumbingDiff,
    "diff-tree": plumbingDiff,
    log,
    show: only("prints objects", [DIFF, LOG], history),
    whatchanged: log,
    shortlog: only(
      "prints history by author",
      [LOG, { flags: "nsec", attached: "w", long: "numbered summary email committer", longValues: "group" }],
      history,
    ),
    "rev-list": only(
      "prints commits",
      [
        LOG,
        {
          long: [
            "count objects objects-edge no-object-names timestamp left-right header use-bitmap-index no-commit-header",
            "commit-header in-commit-order unpacked",
          ].join(" "),
          longAttached: "disk-usage no-walk",
        },
      ],
      history,
    ),
    cherry: only("prints commits missing upstream", { flags: "v", longAttached: "abbrev" }),
    blame: only("prints who wrote each line; --contents reads elsewhere", {
      flags: "ltsewpcfnb",
      values: "L",
      attached: "MC",
      long: [
        "root porcelain line-porcelain incremental show-email show-name show-number show-stats first-parent minimal",
        "color-lines color-by-age no-progress score-debug",
      ].join(" "),
      longValues: "date since ignore-rev ignore-revs-file",
      longAttached: "abbrev",
    }),
    branch: only(
      "lists branches; an operand alone is created, -d -D -m -M -c -f -u --edit-description change",
      [REFS, { flags: "arv", long: "all remotes verbose list show-current no-abbrev" }],
      listing,
    ),
    tag: only(
      "lists tags; an operand alone is created, -d -f -s -a -v delete, replace, sign or verify",
      [REFS, { flags: "l", attached: "n", long: "list" }],
      { ...listing, operandsNeed: ["-l", ...LISTING] },
    ),
    "for-each-ref": only("lists refs", [REFS, { longValues: "count exclude" }], history),
    "show-ref": prints("lists refs"),
    "symbolic-ref": only(
      "prints where a name points; a second operand moves it, -d deletes it",
      { flags: "q", long: "quiet short no-recurse" },
      { maxOperands: 1 },
    ),
    "rev-parse": prints("resolves names and prints facts about the repository"),
    "name-rev": prints("names commits"),
    describe: only("names a commit by its nearest tag", {
      long: "all tags contains exact-match debug long always first-parent",
      longValues: "candidates match exclude",
      longAttached: "abbrev dirty broken",
    }),
    "merge-base": prints("prints common ancestors"),
    "ls-files": prints("lists files of the index"),
    "ls-tree": prints("lists files of a commit"),
    "cat-file": only("prints objects; --textconv and --filters run configured programs", {
      flags: "tspeZz",
      long: "batch-all-objects buffer unordered follow-symlinks allow-unknown-type",
      longAttached: "batch batch-check",
    }),
    "check-ignore": prints("tells which pattern ignores a path"),
    "check-attr": prints("prints attributes of paths"),
    "count-objects": prints("counts objects"),
    fsck: only("checks objects; --lost-found writes", {
      flags: "v",
      long: [
        "full no-full connectivity-only unreachable dangling no-dangling strict verbose root tags cache no-reflogs",
        "progress no-progress name-objects",
      ].join(" "),
    }),
    grep: only("searches; -O opens a pager, --textconv runs programs", {
      flags: "aiIwvhHEFPGnlLzocpWqr",
      values: "efmABC",
      numeric: true,
      long: [
        "cached no-index untracked no-exclude-standard exclude-standard recurse-submodules text ignore-case",
        "word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column",
        "files-with-matches name-only files-without-match null only-matching count no-color break heading",
        "show-function function-context and or not all-match quiet recursive no-recursive no-textconv",
      ].join(" "),
      longValues: "max-depth max-count threads after-context before-context context",
      longAttached: "color",
    }),
    remote: subverbs("lists remotes; show, update and prune connect, the rest writes", {
      globals: { flags: "v", long: "verbose" },
      bare: true,
      verbs: { "get-url": only("prints an address", { long: "push all" }) },
    }),
    stash: subverbs("list and show; without a word it stashes", {
      verbs: {
        list: log,
        show: only("prints a stash", [DIFF, { long: "include-untracked only-untracked" }]),
      },
    }),
    reflog: subverbs("prints where refs have been; expire, delete and drop write", {
      // Values only attached: whether `--since expire` is a value or a sub-verb depends on git's version.
      globals: {
        attached: "n",
        numeric: true,
        long: "all oneline no-decorate no-abbrev-commit",
        longAttached: "date decorate format pretty since until max-count grep-reflog",
      },
      bare: true,
      check: formatsVerifyNothing,
      verbs: {
        show: log,
        exists: only("tells whether a ref has one", {}),
        list: only("lists refs that have one", {}),
      },
    }),
    worktree: subverbs("lists working trees; the rest writes", {
      verbs: { list: only("lists working trees", { flags: "vz", long: "porcelain verbose" }) },
    }),
    submodule: subverbs("prints the state of submodules; foreach runs, the rest writes", {
      verbs: { status: only("prints the state", { long: "cached recursive" }) },
    }),
    config: only(
      "reads settings; a second operand writes one",
      {
        flags: "lz",
        long: [
          "list get get-all get-regexp get-urlmatch global local system worktree show-origin show-scope name-only",
          "null includes no-includes bool int bool-or-int path expiry-date",
        ].join(" "),
        longValues: "type default",
      },
      { check: readsSetting },
    ),
    version: only("prints the version", { long: "build-options" }),
  },
});

const READS = ["-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch"];

/**
 * Reading forms: an action option, `git config a.b`, and since 2.46 `git config list` and `git config get a.b`, which
 * older versions reject as keys without a section. `git config a.b c` writes.
 */
function readsSetting({ options, operands }: ReadWords): boolean {
  if (options.some(({ name }) => READS.includes(name))) return true;
  const [first, second] = operands.map(staticText);
  switch (operands.length) {
    case 0:
      return false;
    case 1:
      return first !== undefined && (first === "list" || /^[\w-]+\..+$/.test(first));
    default:
      return operands.length === 2 && first === "get" && second !== undefined;
  }
}
