import { isSafeOperand, type Word } from "../word.ts";

/** Tests, positions and actions without an argument. No action here does more than print, prune or stop. */
const PLAIN = primaries(
  "print print0 prune quit ls true false empty nouser nogroup readable writable executable",
  "depth d xdev mount follow daystart noleaf ignore_readdir_race noignore_readdir_race warn nowarn",
  "not a and o or",
);

/** The same with exactly one argument. Not -exec -execdir -ok -okdir -delete -fprint* -fls -files0-from. */
const WITH_ARGUMENT = primaries(
  "name iname path ipath wholename iwholename lname ilname regex iregex regextype type xtype size links inum",
  "perm user group uid gid fstype context samefile newer anewer cnewer used maxdepth mindepth printf",
  "amin cmin mmin atime ctime mtime Bmin Btime",
);

/** -newermt and its fourteen sisters. */
const NEWER = /^-newer[aBcm][aBcmt]$/;
const OPERATORS: ReadonlySet<string> = new Set(["(", ")", "!", ","]);
/** Before the paths: what to do with symbolic links, extended regular expressions, optimisation. */
const LEADING = /^-(?:[HLPE]|O[0-3])$/;

function primaries(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(" ")).map((name) => `-${name}`));
}

/** find: paths, then an expression in which every word is known to be harmless. */
export function checkFind(words: readonly Word[]): boolean {
  let index = 0;
  while (isLeading(words[index])) index += 1;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) return false;
    if (word.kind === "static" && takesArgument(word.text)) {
      if (!isOneArgument(words[index + 1])) return false;
      index += 2;
    } else {
      if (!isPlain(word)) return false;
      index += 1;
    }
  }
  return true;
}

function isLeading(word: Word | undefined): boolean {
  return word?.kind === "static" && LEADING.test(word.text);
}

function takesArgument(text: string): boolean {
  return WITH_ARGUMENT.has(text) || NEWER.test(text);
}

/**
 * Exactly one word, or the expression would shift: from `-name $x -name -delete` with an empty `$x` find would read
 * `-delete`.
 */
function isOneArgument(word: Word | undefined): boolean {
  return word !== undefined && (word.kind === "static" || word.fields === "one");
}

function isPlain(word: Word): boolean {
  if (word.kind === "static" && (PLAIN.has(word.text) || OPERATORS.has(word.text))) return true;
  return isSafeOperand(word);
}
