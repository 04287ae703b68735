import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { errnoOf } from "../base/errors.ts";
import { readTextIfExists } from "../base/files.ts";
import { entryOf } from "./rows.ts";
import type { SessionKey, SessionStoreEntry } from "./types.ts";

/** A transcript as the CLI keeps it on disk. */
export interface LocalTranscript {
  readonly key: SessionKey;
  readonly entries: readonly SessionStoreEntry[];
}

/**
 * What a CLI wrote into its own directory of one session: the main transcript and its subagents', as the SDK would
 * have mirrored them (CLI 2.1.332). Empty when there is nothing. After the host was killed this holds what the store
 * never got to see (HARNESS 13.2).
 *
 * A last line that was cut by a kill is no entry. Throws `files/not-readable`.
 */
export function readLocalTranscripts(
  configDirectory: string,
  { projectKey, sessionId }: Pick<SessionKey, "projectKey" | "sessionId">,
): readonly LocalTranscript[] {
  const project = join(configDirectory, "projects", projectKey);
  const below = join(project, sessionId);
  const agents = transcriptsBelow(below).map((path) => {
    const subpath = withoutSuffix(relative(below, path)).split(sep).join("/");
    return { key: { projectKey, sessionId, subpath }, entries: [...entriesIn(path), ...sidecarOf(path)] };
  });
  const main = entriesIn(join(project, `${sessionId}.jsonl`));
  return [{ key: { projectKey, sessionId }, entries: main }, ...agents].filter(
    ({ entries }) => entries.length > 0,
  );
}

/** Paths of the transcripts below a session's own directory, sorted; none when there is no such directory. */
export function transcriptsBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .map((name) => join(directory, name));
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw thrown;
  }
}

function withoutSuffix(path: string): string {
  return path.slice(0, -".jsonl".length);
}

function entriesIn(path: string): SessionStoreEntry[] {
  const lines = (readTextIfExists(path) ?? "").split("\n");
  return lines.flatMap((line) => entryOf(line) ?? []).filter(({ type }) => !type.startsWith(NOT_MIRRORED));
}

/** The CLI's notes on its own requests; the SDK keeps them out of the store, and so do we. */
export const NOT_MIRRORED = "api-request";

/** What the CLI notes beside a subagent's transcript is a row of the mirrored one. */
export function sidecarOf(path: string): SessionStoreEntry[] {
  const text = readTextIfExists(`${withoutSuffix(path)}.meta.json`);
  const noted: unknown = text === undefined ? undefined : parse(text);
  return typeof noted === "object" && noted !== null ? [{ type: "agent_metadata", ...noted }] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
