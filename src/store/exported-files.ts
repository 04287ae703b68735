import { entryOf } from "./rows.ts";
import type { StoredTranscript } from "./session-archive.ts";

/** A file to be written, by its path below the directory of a project. */
export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * A session as Claude Code keeps it in `projects/<key>/` (CLI 2.1.332): `<id>.jsonl`, `<id>/subagents/agent-*.jsonl`,
 * and beside each of those `agent-*.meta.json`, which in the store is a row. The inverse of `readLocalTranscripts`.
 */
export function exportedFiles(
  sessionId: string,
  transcripts: readonly StoredTranscript[],
): readonly ExportedFile[] {
  return transcripts.flatMap(({ subpath, payloads }): ExportedFile[] => {
    if (subpath === undefined) return [{ path: `${sessionId}.jsonl`, text: linesOf(payloads) }];
    const notes = payloads.filter((payload) => entryOf(payload)?.type === METADATA);
    const rest = payloads.filter((payload) => !notes.includes(payload));
    const path = `${sessionId}/${subpath}`;
    // What was noted last counts (HARNESS 13.2).
    const note = notes.at(-1);
    return [
      { path: `${path}.jsonl`, text: linesOf(rest) },
      ...(note === undefined ? [] : [{ path: `${path}.meta.json`, text: withoutType(note) }]),
    ];
  });
}

const METADATA = "agent_metadata";

function linesOf(payloads: readonly string[]): string {
  return payloads.map((payload) => `${payload}\n`).join("");
}

function withoutType(note: string): string {
  const fields = Object.entries(entryOf(note) ?? {}).filter(([field]) => field !== "type");
  return JSON.stringify(Object.fromEntries(fields));
}
