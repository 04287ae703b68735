import * as z from "zod";
import type { SessionStoreEntry } from "./types.ts";

/** The shapes of the rows we ask for. A row of another shape is a damaged database and throws. */
export const versionRow = z.object({ user_version: z.number().int() });
export const journalRow = z.object({ journal_mode: z.string() });
export const checkRows = z.array(z.object({ quick_check: z.string() }));
export const tableRows = z.array(z.object({ name: z.string() }));
export const payloadRow = z.object({ payload: z.string() });
export const payloadRows = z.array(payloadRow);
export const stateRow = z.object({
  next_seq: z.number().int().nullable(),
  last_mtime: z.number().nullable(),
  summary_mtime: z.number().nullable(),
  data: z.string().nullable(),
});
export type StateRow = z.infer<typeof stateRow>;
export const keyRows = z.array(z.object({ store_key: z.string() }));
export const keyTimeRows = z.array(z.object({ store_key: z.string(), mtime: z.number() }));
export const idRows = z.array(z.object({ uid: z.string() }));
export const sizeRows = z.array(z.object({ store_key: z.string(), mtime: z.number(), bytes: z.number() }));
export const turnsRow = z.object({ turns: z.number().int() });
export const projectRows = z.array(z.object({ project: z.string() }));
export const summaryRows = z.array(z.object({ session_id: z.string(), mtime: z.number(), data: z.string() }));

/** The `data` column of a summary: an object of the SDK's own. */
export const summaryData = z.record(z.string(), z.unknown());

/**
 * A payload as an entry, or undefined when it is none. Not a zod parse: that would copy every entry, and fields
 * nobody knows must come back as they were written.
 */
export function entryOf(payload: string): SessionStoreEntry | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
