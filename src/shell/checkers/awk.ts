import { options, readWords } from "../options.ts";
import { isSafeOperand, staticText, type Word } from "../word.ts";
import { isReadOnlyAwk } from "./awk-program.ts";

/**
 * Separator and variables. Not `-f`, `-E`, `-i`, `-l` (code from files), `-o`, `-p`, `-d` (write files), `-W`. Long
 * ones only with `=`: the awk of macOS skips `--assign` and takes the next word for the program.
 */
const OPTIONS = options({ values: "Fv", longEquals: "field-separator assign" });

/** awk, gawk, mawk, nawk: harmless options, a program that is known and only reads, then files. */
export function checkAwk(words: readonly Word[]): boolean {
  const read = readWords(OPTIONS, words, { stopAtOperand: true });
  if (read === undefined) return false;
  const [program, ...files] = read.operands;
  const text = staticText(program);
  return text !== undefined && isReadOnlyAwk(text) && files.every(isFile);
}

const NETWORK = "/inet";

/** gawk opens `/inet/tcp/…` as a connection, also when it only becomes that (`/{inet/tcp/…,x}`, `"/$x"`). */
function isFile(word: Word): boolean {
  if (!isSafeOperand(word)) return false;
  if (word.kind === "static") return !word.text.startsWith(NETWORK);
  return !word.prefix.startsWith(NETWORK) && !NETWORK.startsWith(word.prefix);
}
