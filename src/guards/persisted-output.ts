import { readFileSync, statSync } from "node:fs";
import { isRecord } from "./tool-call.ts";

/** More than this is left to the CLI's own file: nobody reads it in one piece. */
const MAX_PERSISTED_BYTES = 16 * 1024 * 1024;

/** The CLI cuts at 30,000 characters, possibly through one; this much of the beginning is compared. */
const COMPARED_CHARS = 1000;

/**
 * Undoes the CLI's own cut. A Bash output above 30,000 characters reaches the hook as its first 30,000 plus
 * `persistedOutputPath`, a file below the CLI's configuration directory with all of it; while that field is there
 * the model is shown the CLI's pointer, whatever `stdout` says (CLI 2.1.332). Returns the output with the whole text
 * in `stdout` and without the `persisted…` fields, so that one pointer, ours, remains.
 *
 * Undefined when there was a cut but it cannot be undone (file gone, too large, or not the file of this output):
 * then the output must go through as it is, or its rest would be lost.
 */
export function wholeBashOutput(output: unknown): unknown {
  if (!isRecord(output) || output.persistedOutputPath === undefined) return output;
  const { persistedOutputPath, persistedOutputSize: _size, ...rest } = output;
  const { stdout } = rest;
  if (typeof persistedOutputPath !== "string" || typeof stdout !== "string") return undefined;
  const text = textOf(persistedOutputPath);
  if (text === undefined || !beginsLike(text, stdout)) return undefined;
  return { ...rest, stdout: text };
}

function textOf(path: string): string | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_PERSISTED_BYTES) return undefined;
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // The CLI's file is its own business; without it its own pointer stands.
  }
}

function beginsLike(text: string, cut: string): boolean {
  return text.trimStart().startsWith(cut.trimStart().slice(0, COMPARED_CHARS));
}
