import { withoutFields } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * Takes `stoppedByUser` off the metadata of subagents. The CLI (2.1.332) sets it when an interrupt or a spent
 * budget ends a background agent, and then refuses for good to continue that agent, in later processes too. For a
 * harness that resumes, a stop is a pause. All rows are cleared, since the last one that says something wins.
 */
export function reviveAgents(entries: readonly SessionStoreEntry[]): {
  readonly entries: readonly SessionStoreEntry[];
  readonly report: { readonly revived: number };
} {
  let revived = 0;
  const next = entries.map((entry) => {
    if (entry.type !== "agent_metadata" || entry.stoppedByUser !== true) return entry;
    revived += 1;
    return withoutFields(entry, ["stoppedByUser"]);
  });
  return { entries: revived === 0 ? entries : next, report: { revived } };
}
