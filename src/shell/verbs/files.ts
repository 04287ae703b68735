import { checkFind } from "../checkers/find.ts";
import { checked, harmless, only, type VerbRule } from "../rules.ts";

/** Looking at files without touching them. */
export const FILES: Readonly<Record<string, VerbRule>> = {
  ls: harmless("lists directories"),
  // A table, because `cat` is often an alias of viewers that take a pager command.
  cat: only("prints files", {
    flags: "AbeEnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
  }),
  head: harmless("prints the beginning of files"),
  tail: only("prints the end of files; -f, -F, --follow and --retry never end", {
    flags: "qvz",
    values: "nc",
    long: "quiet silent verbose zero-terminated",
    longValues: "lines bytes",
    numeric: true,
  }),
  wc: harmless("counts"),
  stat: harmless("prints file facts"),
  find: checked("walks directories; its actions run, delete and write", checkFind),
  tree: only("draws directories; -o writes, -R writes with -H", {
    flags: "adfgilnpqrsuchtvxACDFJNQSUX",
    separate: "LPI",
    long: "gitignore noreport dirsfirst filesfirst du prune si inodes device ignore-case matchdirs",
    // With values in the next word, whatever that is: of `--charset -- -o f` tree reads `-o f`.
    longValues: "sort filelimit charset timefmt",
  }),
  file: only(
    "guesses file types; -C writes, -p sets times, -z runs decompressors, -m and -f read elsewhere",
    {
      flags: "bhikLNnr0EI",
      values: "F",
      long: "brief mime mime-type mime-encoding keep-going dereference no-dereference no-pad raw print0 extension",
      longValues: "separator",
    },
  ),
  readlink: harmless("prints where links lead"),
  realpath: harmless("prints resolved paths"),
  basename: harmless("prints the last part of a path"),
  dirname: harmless("prints all but the last part of a path"),
  od: harmless("prints bytes"),
  hexdump: harmless("prints bytes"),
  xxd: only(
    "prints bytes; a second operand is written to, -r writes",
    { unclustered: true, flags: "abCdeEpu", values: "lscg", words: "ps plain postscript bits" },
    { maxOperands: 1, optionsFirst: true },
  ),
  cksum: harmless("prints check sums"),
  sum: harmless("prints check sums"),
  b2sum: harmless("prints check sums"),
  md5sum: harmless("prints check sums"),
  md5: harmless("prints check sums"),
  sha1sum: harmless("prints check sums"),
  sha224sum: harmless("prints check sums"),
  sha256sum: harmless("prints check sums"),
  sha384sum: harmless("prints check sums"),
  sha512sum: harmless("prints check sums"),
  shasum: harmless("prints check sums"),
  cmp: harmless("compares bytes"),
};
