import { checkPrintf, checkTest } from "../checkers/builtins.ts";
import type { ReadWords } from "../options.ts";
import { checked, harmless, only, type VerbRule } from "../rules.ts";

/** Directory, machine, user, time, and the builtins that glances are glued together with. */
export const SYSTEM: Readonly<Record<string, VerbRule>> = {
  pwd: harmless("prints the working directory"),
  // `cd dir && git status` is how coordinators look around. The working directory is their own (subagents have
  // theirs), nothing on disk changes, and the next `cd` undoes it.
  cd: harmless("moves only the caller's own shell, touches no file"),
  echo: harmless("prints its words; redirections are judged apart"),
  printf: checked("prints; a format may assign variables, so it is read", checkPrintf),
  test: checked("compares and looks at files; subscripts could execute", checkTest),
  "[": checked("test under its other name", checkTest),
  true: harmless("does nothing"),
  false: harmless("does nothing"),
  ":": harmless("does nothing"),
  whoami: harmless("prints the user"),
  id: harmless("prints user and groups"),
  groups: harmless("prints groups"),
  logname: harmless("prints the login name"),
  users: harmless("prints who is logged in"),
  who: harmless("prints who is logged in"),
  w: harmless("prints who is logged in and what runs"),
  tty: harmless("prints the terminal"),
  uname: harmless("prints system names"),
  // macOS: `arch -arm64 cmd` runs a command.
  arch: only("prints the architecture; with words it can run a command", {}, { maxOperands: 0 }),
  nproc: harmless("prints the number of processors"),
  lscpu: harmless("prints processor facts"),
  lsblk: harmless("prints block devices"),
  uptime: harmless("prints load and up-time"),
  free: only("prints memory; -s and -c repeat", {
    flags: "bkmghlLtvwV",
    long: "bytes kibi mebi gibi kilo mega giga human si lohi total wide committed version help",
  }),
  df: harmless("prints file system use"),
  du: harmless("adds up file sizes"),
  locale: harmless("prints locale facts"),
  printenv: harmless("prints the environment"),
  env: only(
    "prints the environment; with an operand it runs a command",
    { flags: "0", long: "null" },
    { maxOperands: 0 },
  ),
  hostname: only(
    "prints the host name; an operand sets it, -F and -b too",
    { flags: "AdfiIsy", long: "all-fqdns domain fqdn long ip-address all-ip-addresses short" },
    { maxOperands: 0 },
  ),
  date: only(
    "prints the time; -s and an operand without + set it, BSD's -f too",
    {
      flags: "uR",
      values: "dr",
      attached: "I",
      long: "utc universal rfc-email debug",
      longValues: "date reference rfc-3339",
      longAttached: "iso-8601",
    },
    { check: onlyFormats },
  ),
  cal: harmless("prints a calendar"),
};

function onlyFormats({ operands }: ReadWords): boolean {
  return operands.every((word) => (word.kind === "static" ? word.text : word.prefix).startsWith("+"));
}
