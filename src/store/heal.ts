import { createHash } from "node:crypto";
import { repoint } from "./relink.ts";
import { answeredIdsOf, parentOf, toolUsesOf, uuidOf } from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

export interface HealOptions {
  /** What the model reads as the result of a call that has none. */
  readonly noResult: string;
}

export interface HealReport {
  /** Calls that were given a result. */
  readonly healed: number;
  /** Entries whose parent was nowhere and that were tied to the entry before them. */
  readonly bridged: number;
}

/**
 * Makes a broken history whole: bridges holes in the chain, and gives every call without a result one.
 *
 * Nothing is deleted: beside an unanswered call may stand text, thinking and answered calls, and the model should
 * know that it made the call. One entry for all unanswered calls of an assistant entry is inserted right after it,
 * and the entry's children move below the new one. (That may put a result between two blocks of one API message;
 * the CLI writes such chains itself and merges them again by message id.)
 * Contract: pure; never mutates; the new entry's uuid depends on the assistant entry alone, because what the CLI
 * appends after a resume has it as parent and must find it at the next one; doing it twice changes nothing.
 */
export function heal(
  entries: readonly SessionStoreEntry[],
  { noResult }: HealOptions,
): { readonly entries: readonly SessionStoreEntry[]; readonly report: HealReport } {
  const answered = new Set(entries.flatMap(answeredIdsOf));
  const standIns = new Map<string, SessionStoreEntry>();
  let healed = 0;
  for (const entry of entries) {
    const uuid = uuidOf(entry);
    const unanswered = toolUsesOf(entry).filter((use) => !answered.has(use.id));
    if (uuid === undefined || unanswered.length === 0) continue;
    healed += unanswered.length;
    standIns.set(uuid, standIn({ assistant: entry, uuid, ids: unanswered.map((use) => use.id), noResult }));
  }
  const answeredEntries = entries.flatMap((entry) => {
    const below = repoint(entry, (uuid) => standIns.get(uuid)?.uuid ?? uuid);
    const inserted = standIns.get(uuidOf(entry) ?? "");
    return inserted === undefined ? [below] : [below, inserted];
  });
  const { entries: whole, bridged } = bridgeHoles(standIns.size === 0 ? entries : answeredEntries);
  return { entries: whole, report: { healed, bridged } };
}

/** Whether `heal` made this entry: such results are no recent work and do not count as results. */
export function isStandIn(entry: SessionStoreEntry): boolean {
  const source = entry.sourceToolAssistantUUID;
  return typeof source === "string" && entry.uuid === standInUuid(source);
}

/** What a transcript entry says about where it belongs; the stand-in says the same as its assistant entry. */
const ENVELOPE = [
  "isSidechain",
  "agentId",
  "promptId",
  "userType",
  "entrypoint",
  "cwd",
  "sessionId",
  "session_id",
  "version",
  "gitBranch",
  "slug",
  // The time of the call, not of the healing: on a branch that was left, a newer one would make it the newest leaf.
  "timestamp",
] as const;

interface StandIn {
  readonly assistant: SessionStoreEntry;
  readonly uuid: string;
  readonly ids: readonly string[];
  readonly noResult: string;
}

function standIn({ assistant, uuid, ids, noResult }: StandIn): SessionStoreEntry {
  const envelope = Object.fromEntries(
    ENVELOPE.flatMap((field) => (field in assistant ? [[field, assistant[field]]] : [])),
  );
  const content = ids.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: noResult,
    is_error: true,
  }));
  return {
    ...envelope,
    type: "user",
    uuid: standInUuid(uuid),
    parentUuid: uuid,
    message: { role: "user", content },
    toolUseResult: noResult,
    sourceToolAssistantUUID: uuid,
  };
}

/** A UUID of version 8 (free form, RFC 9562) made from the assistant entry's. */
function standInUuid(assistantUuid: string): string {
  const hex = createHash("sha256").update(`flower stand-in result of ${assistantUuid}`).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/**
 * A batch that the mirror lost (`mirror_error`), or a stand-in that is no longer needed because the true result was
 * imported later, leaves children without a parent. They go on from the last entry before them.
 */
function bridgeHoles(entries: readonly SessionStoreEntry[]): {
  readonly entries: readonly SessionStoreEntry[];
  readonly bridged: number;
} {
  const known = new Set(entries.flatMap((entry) => uuidOf(entry) ?? []));
  const before: { main: string | null; side: string | null } = { main: null, side: null };
  let bridged = 0;
  const whole = entries.map((entry) => {
    const thread = entry.isSidechain === true ? "side" : "main";
    const parent = parentOf(entry);
    const lost = typeof parent === "string" && !known.has(parent);
    const next = lost ? { ...entry, parentUuid: before[thread] } : entry;
    if (lost) bridged += 1;
    before[thread] = uuidOf(entry) ?? before[thread];
    return next;
  });
  return { entries: bridged === 0 ? entries : whole, bridged };
}
