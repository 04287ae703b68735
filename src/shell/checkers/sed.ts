import { options, readWords } from "../options.ts";
import { isSafeOperand, staticText, type Word } from "../word.ts";
import { isReadOnlySed } from "./sed-script.ts";

/**
 * Not `-i` (writes), `-f` (code from a file) and `-l`, which takes a value in GNU sed and none in BSD's, so that
 * one of them would take a word for the script that the other does not.
 */
const OPTIONS = options({
  flags: "nErsuz",
  values: "e",
  long: "quiet silent regexp-extended null-data separate unbuffered posix sandbox",
  longValues: "expression",
});

/**
 * Every script must be known and only read; what is left are files.
 *
 * Options only before the first operand: of `sed 'w f' -e p` GNU sed reads the second as the script, BSD's the first.
 */
export function checkSed(words: readonly Word[]): boolean {
  const read = readWords(OPTIONS, words, { stopAtOperand: true });
  if (read === undefined) return false;
  const expressions = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  if (expressions.length === 0) {
    const [script, ...files] = read.operands;
    return isReadOnly(script) && files.every(isSafeOperand);
  }
  return expressions.every(({ value }) => isReadOnly(value)) && read.operands.every(isSafeOperand);
}

function isReadOnly(script: Word | undefined): boolean {
  const text = staticText(script);
  return text !== undefined && isReadOnlySed(text);
}
