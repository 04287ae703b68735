import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../base/real-path.ts";
import { describe } from "./describe.ts";
import { isInside } from "./is-inside.ts";

/** One file of the workbench. */
export interface WorkbenchEntry {
  /** Absolute. */
  readonly path: string;
  /** Relative to the scanned directory, with `/`; not escaped. */
  readonly name: string;
  /** What the file says about itself; empty when it says nothing or cannot be read. */
  readonly description: string;
}

export interface WorkbenchScan {
  /** The directory's own files first, then those of its subdirectories; by name within a level. */
  readonly entries: readonly WorkbenchEntry[];
  /** False when the walk stopped because it had met `MAX_VISITED` files and directories. */
  readonly complete: boolean;
}

/** A description stands at the top; no more than this of any file is ever read. */
export const HEAD_BYTES = 4096;

/** A worker that clones a repository into artifacts/ must not make every step begin with a walk through it. */
export const MAX_VISITED = 2000;

/** Copies of other people's files: never what an agent made to be found again. Hidden names are left out too. */
const NOT_OURS = new Set(["node_modules", "__pycache__"]);

/**
 * The files below `directory`, which must lie below `root` once all links are resolved; otherwise the answer is
 * empty. Links are listed but never walked through, and read only when they lead to a file inside `root`.
 *
 * Contract: does not throw for what is missing or unreadable, writes nothing, reads at most `HEAD_BYTES` of a
 * file and never opens what could block (pipes, devices). The order depends on names alone.
 */
export function scanDirectory(directory: string, root: string): WorkbenchScan {
  const entries: WorkbenchEntry[] = [];
  if (!leadsInto(root, directory)) return { entries, complete: true };
  let visited = 0;
  let level = [""];
  while (level.length > 0) {
    const below: string[] = [];
    for (const prefix of level) {
      for (const entry of listing(join(directory, prefix))) {
        if (visited === MAX_VISITED) return { entries, complete: false };
        visited += 1;
        const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!NOT_OURS.has(entry.name)) below.push(name);
          continue;
        }
        const path = join(directory, name);
        entries.push({ path, name, description: descriptionOf(path, entry, root) });
      }
    }
    level = below;
  }
  return { entries, complete: true };
}

function listing(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith("."))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // Gone since it was listed, or not for us to read: the index then simply does not know it.
  }
}

function descriptionOf(path: string, entry: Dirent, root: string): string {
  if (!entry.isFile() && !entry.isSymbolicLink()) return "";
  if (entry.isSymbolicLink() && !leadsInto(root, path)) return "";
  const head = headOf(path);
  return head === undefined ? "" : describe(head);
}

function leadsInto(root: string, path: string): boolean {
  try {
    return isInside(realPath(root), realPath(path));
  } catch {
    return false; // A loop of links leads nowhere.
  }
}

/** The first `HEAD_BYTES` of a text file, or undefined for what is binary, not a file, or not readable. */
function headOf(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // Non-blocking: between the listing and here a file may have become a pipe.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return undefined;
    const buffer = Buffer.alloc(HEAD_BYTES);
    const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, HEAD_BYTES, 0));
    if (bytes.includes(0)) return undefined;
    // `stream` leaves out a character that the cut went through.
    return new TextDecoder("utf-8").decode(bytes, { stream: true });
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
