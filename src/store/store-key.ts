import { FlowerError } from "../base/errors.ts";
import type { SessionKey } from "./types.ts";

/**
 * The `store_key` column: `project_key/session_id[/subpath]`.
 *
 * Contract: one key, one column value. A project or session with a slash in it would share its column with
 * somebody else's subagent, so it is refused (`store/invalid-key`); the SDK makes neither.
 */
export function storeKeyOf(key: SessionKey): string {
  const main = `${part("project key", key.projectKey)}/${part("session id", key.sessionId)}`;
  if (key.subpath === undefined) return main;
  if (key.subpath === "" || hasControl(key.subpath)) throw invalid("subpath", key.subpath);
  return `${main}/${key.subpath}`;
}

/** A half-open range `[from, to)` of column values. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** Everything below `prefix/`. A range, not LIKE: keys may hold `%` and `_`, and a range uses the primary key. */
export function keysBelow(prefix: string): KeyRange {
  return { from: `${prefix}/`, to: `${prefix}0` };
}

/** All transcripts of a project. */
export function projectRange(projectKey: string): KeyRange {
  return keysBelow(part("project key", projectKey));
}

function part(what: string, value: string): string {
  if (!isKeyPart(value)) throw invalid(what, value);
  return value;
}

/** Whether a project or a session may be called so. */
export function isKeyPart(value: string): boolean {
  return value !== "" && !value.includes("/") && !hasControl(value);
}

/** SQLite text ends at a NUL for some readers; no other control character belongs in a key either. */
function hasControl(value: string): boolean {
  return /\p{Cc}/u.test(value);
}

function invalid(what: string, value: string): FlowerError {
  return new FlowerError("store/invalid-key", `not a usable ${what}: ${JSON.stringify(value)}`, {
    hint: "Project keys and session ids must not be empty or contain a slash; leave subpath out for the main transcript.",
  });
}
