import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { lockSync } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { errnoOf, errorText, FlowerError } from "./errors.ts";
import { stamp } from "./ids.ts";

export interface WriteOptions {
  /** Permissions; by default the file's own, or what the process gives new files. */
  readonly mode?: number | undefined;
  /**
   * Wait until the disk has it, some milliseconds. Default true. Without it the death of any process loses nothing either,
   * but a power cut may leave an empty file: for what can be made again, or says who lives.
   */
  readonly durable?: boolean | undefined;
}

/** Writes `text` so that a reader, or a crash, sees either the old file or the new one. Parents are created. */
export function writeTextAtomic(path: string, text: string, options: WriteOptions = {}): void {
  const { mode, durable = true } = options;
  ensureDirectory(dirname(path));
  try {
    writeFileAtomic.sync(path, text, { fsync: durable, ...(mode === undefined ? {} : { mode }) });
  } catch (thrown) {
    throw cannotWrite(path, thrown);
  }
}

/** Creates `path` as a directory, with its parents. Throws `files/not-writable` or `files/not-a-directory`. */
export function ensureDirectory(path: string): void {
  try {
    makeDirectories(path);
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "EEXIST" || code === "ENOTDIR") {
      throw new FlowerError("files/not-a-directory", `${path} is a file, not a directory`, {
        hint: "Name a directory, or move the file away.",
        cause: thrown,
      });
    }
    throw cannotWrite(path, thrown);
  }
}

/**
 * One level at a time: `recursive` never returns where a file system answers ENOENT below a directory that
 * exists, as `/proc` does (Node 20.20).
 */
function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectories(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw thrown;
  }
}

/** The text of a file, or undefined when there is none. Other failures throw `files/not-readable`. */
export function readTextIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new FlowerError("files/not-readable", `cannot read ${path}: ${errorText(thrown)}`, {
      hint:
        code === "EISDIR" || code === "ELOOP"
          ? "Something else stands in the place of the file; move it away."
          : "Check the permissions of the file and of the directories above it.",
      cause: thrown,
    });
  }
}

/**
 * Moves a file that cannot be used out of the way, beside itself, and returns its new path:
 * `<path>.corrupt-<stamp>`, with `-2`, `-3` … when that name is taken. Nothing is ever overwritten.
 */
export function setAside(path: string, epochMs: number): string {
  const target = freePath(`${path}.corrupt-${stamp(epochMs)}`);
  renameSync(path, target);
  return target;
}

/** `path` if nothing is there, else the first of `<path>-2`, `<path>-3` … that is free; `suffix` stays at the end. */
export function freePath(path: string, suffix = ""): string {
  let free = `${path}${suffix}`;
  for (let n = 2; existsSync(free); n += 1) free = `${path}-${n}${suffix}`;
  return free;
}

/**
 * Runs `work` while holding an exclusive lock on `path` (which need not exist). Synchronous, because the books
 * must also be written from a signal handler. Waits up to about seven seconds for another process, then throws
 * `files/locked`; a lock left by a dead process is taken over after five, so that whoever comes next only waits.
 */
export function withFileLock<T>(path: string, work: () => T): T {
  ensureDirectory(dirname(path));
  const release = acquire(path);
  try {
    return work();
  } finally {
    release();
  }
}

const LOCK_TRIES = 350;
const LOCK_WAIT_MS = 20;
/** A lock that was not renewed for this long belongs to nobody: we hold ours for milliseconds. Shorter than all tries. */
const LOCK_STALE_MS = 5_000;

function acquire(path: string): () => void {
  for (let tried = 1; ; tried += 1) {
    try {
      return lockSync(path, { realpath: false, stale: LOCK_STALE_MS, onCompromised: () => undefined });
    } catch (thrown) {
      if (errnoOf(thrown) !== "ELOCKED") throw cannotWrite(path, thrown);
      if (tried >= LOCK_TRIES) {
        throw new FlowerError("files/locked", `${path} is locked by another process`, {
          hint: "Wait until the other flower is done; a lock left by a dead one is taken over after five seconds.",
          cause: thrown,
        });
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
    }
  }
}

function cannotWrite(path: string, cause: unknown): FlowerError {
  return new FlowerError("files/not-writable", `cannot write ${path}: ${errorText(cause)}`, {
    hint: "Check the permissions and the space left, or choose another directory.",
    cause,
  });
}

/** Throws `files/not-writable` unless files can be created in `directory`. Leaves nothing behind. */
export function assertWritable(directory: string, probeName: string): void {
  const probe = `${directory}/${probeName}`;
  try {
    writeFileSync(probe, "");
    rmSync(probe, { force: true });
  } catch (thrown) {
    throw cannotWrite(directory, thrown);
  }
}
