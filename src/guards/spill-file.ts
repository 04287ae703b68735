import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { ensureDirectory, writeTextAtomic } from "../base/files.ts";

/** Tool results may hold what was read from anywhere; only the user who runs flower reads them again. */
const SPILL_MODE = 0o600;

/** `<first 16 hex of the content's sha256>.txt`: the same text always has the same file. */
function spillName(text: string): string {
  return `${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 16)}.txt`;
}

/**
 * Puts `text` into its file below `directory` and returns the path; the file is there, whole, when this returns.
 * A file that already holds the text is left alone; one that was changed since is put right.
 *
 * Throws `guards/not-text` for text that UTF-8 cannot hold (a lone surrogate), `guards/spill-blocked` when
 * something other than a file has its name, and what `ensureDirectory` and `writeTextAtomic` throw.
 */
export function writeSpill(directory: string, text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.toString("utf8") !== text) {
    throw new FlowerError(
      "guards/not-text",
      "a tool result holds half a character and cannot be kept in a file",
    );
  }
  ensureDirectory(directory);
  const path = join(directory, spillName(text));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new FlowerError(
      "guards/spill-blocked",
      `${path} is not a file, so a tool result cannot be kept there`,
      {
        hint: "Remove it; the directory belongs to flower.",
      },
    );
  }
  if (found?.size !== bytes.length || !readFileSync(path).equals(bytes)) {
    writeTextAtomic(path, text, { mode: SPILL_MODE });
  }
  return path;
}
