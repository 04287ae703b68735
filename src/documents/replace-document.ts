import { constants, copyFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { faultPoint } from "../base/fault-point.ts";
import { ensureDirectory, freePath, readTextIfExists, writeTextAtomic } from "../base/files.ts";
import { stamp } from "../base/ids.ts";

/** What replaces a document, and where the one before it is kept. */
export interface Replacement {
  readonly text: string;
  /** Now; names the copy that is kept. */
  readonly epochMs: number;
  /** Path of the copy, without stamp and extension. Default `archive/<name>` beside the document. */
  readonly archiveAs?: string | undefined;
}

/**
 * Writes a document over the one before it. That one is kept as `<archiveAs>-<stamp>.md`: a person may have written
 * or edited it. Returns where it is kept, undefined when there was none or nothing in it.
 *
 * Contract: from the first write on a whole document stands at `path`. Throws `files/not-writable`,
 * `files/not-readable`, and the system's errors of the copy.
 */
export function replaceDocument(path: string, { text, epochMs, archiveAs }: Replacement): string | undefined {
  const kept = (readTextIfExists(path) ?? "").trim() === "" ? undefined : keep(path, archiveAs, epochMs);
  faultPoint("document/kept");
  writeTextAtomic(path, text);
  faultPoint("document/written");
  return kept;
}

function keep(path: string, archiveAs: string | undefined, epochMs: number): string {
  const suffix = extname(path);
  const base = archiveAs ?? join(dirname(path), "archive", basename(path, suffix));
  const target = freePath(`${base}-${stamp(epochMs)}`, suffix);
  ensureDirectory(dirname(target));
  copyFileSync(path, target, constants.COPYFILE_EXCL);
  return target;
}
