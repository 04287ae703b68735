import { options, readWords } from "../options.ts";
import { isSafeOperand, staticText, type Word } from "../word.ts";
import { isReadOnlyAwk } from "./awk-program.ts";

/** Separator and variables. Not `-f`, `-E`, `-i`, `-l` (code from files), `-o`, `-p`, `-d` (write files), `-W`. */
const OPTIONS = options({ values: "Fv", longValues: "field-separator assign" });

/** awk, gawk, mawk, nawk: harmless options, a program that is known and only reads, then files. */
export function checkAwk(words: readonly Word[]): boolean {
  const read = readWords(OPTIONS, words, { stopAtOperand: true });
  if (read === undefined) return false;
  const [program, ...files] = read.operands;
  const text = staticText(program);
  return text !== undefined && isReadOnlyAwk(text) && files.every(isFile);
}

/** gawk opens `/inet/tcp/…` as a connection. */
function isFile(word: Word): boolean {
  const start = word.kind === "static" ? word.text : word.prefix;
  return isSafeOperand(word) && !start.startsWith("/inet");
}
