import { isInterruptText } from "./interrupts.ts";
import {
  answeredId,
  type Block,
  blocksOf,
  contentOf,
  isProtected,
  mapBlocks,
  messageIdOf,
  resultText,
  toolUsesOf,
  uuidOf,
  withoutFields,
} from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

/**
 * `toolDenialKind` of calls that never ran because something refused them (CLI 2.1.332). The CLI's other kinds,
 * `interrupted` and `cancelled`, mark calls that were cut off or swept along: no denials.
 */
const DENIAL_KINDS: ReadonlySet<unknown> = new Set([
  "user-rejected",
  "permission-rule",
  "automode-blocked",
  "automode-unavailable",
  "automode-parsing-error",
]);

export interface DenialOptions {
  /** Denied calls that stay, newest first. */
  readonly keepDenials: number;
  /** Uuids of entries that must not disappear. */
  readonly pinned: ReadonlySet<string>;
}

/**
 * Entries without the older denied calls: call and result go together, block by block, so that their neighbours in
 * a shared message stay. A denied call tells nothing (it never ran), costs its text, and several of them teach the
 * model that a tool is forbidden when only one command was.
 *
 * `emptied` are entries with nothing left in them, for `relink`; they are among `entries`.
 * Contract: pure; never mutates; a call with words of a person in its denial is not counted and stays.
 */
export function dropDenials(
  entries: readonly SessionStoreEntry[],
  { keepDenials, pinned }: DenialOptions,
): {
  readonly entries: readonly SessionStoreEntry[];
  readonly emptied: ReadonlySet<SessionStoreEntry>;
  readonly report: { readonly denials: number };
} {
  const fixed = fixedIds(entries, pinned);
  const denied = deniedIds(entries).filter((id) => !fixed.has(id));
  const dropped = new Set(keepDenials === 0 ? denied : denied.slice(0, -keepDenials));
  if (dropped.size === 0) return { entries, emptied: new Set(), report: { denials: 0 } };
  const next = entries.map((entry) => withoutCalls(entry, dropped));
  const emptied = new Set(next.filter((entry, index) => entry !== entries[index] && hasNoContent(entry)));
  const touched = new Set(
    next.flatMap((entry, index) => (entry === entries[index] ? [] : (messageIdOf(entry) ?? []))),
  );
  for (const entry of bareThoughts(next, touched)) {
    if (!isProtected(entry) && !pinned.has(uuidOf(entry) ?? "")) emptied.add(entry);
  }
  return { entries: next, emptied, report: { denials: dropped.size } };
}

/** Calls that were refused, oldest first. Without their tool_use there is no pair to take out. */
function deniedIds(entries: readonly SessionStoreEntry[]): readonly string[] {
  const made = new Set(entries.flatMap((entry) => toolUsesOf(entry).map((use) => use.id)));
  const ids = entries.flatMap((entry) =>
    isDenial(entry)
      ? blocksOf(entry).flatMap((block) => (block.is_error === true ? (refusedId(block) ?? []) : []))
      : [],
  );
  return [...new Set(ids)].filter((id) => made.has(id));
}

function isDenial(entry: SessionStoreEntry): boolean {
  return entry.type === "user" && DENIAL_KINDS.has(entry.toolDenialKind) && entry.holdsPersonsWords !== true;
}

function refusedId(block: Block): string | undefined {
  const text = resultText(block);
  return isInterruptText(text) || /the user said:/.test(text) ? undefined : answeredId(block);
}

/** Ids in entries that must stay as they are. */
function fixedIds(entries: readonly SessionStoreEntry[], pinned: ReadonlySet<string>): ReadonlySet<string> {
  const fixed = entries.filter((entry) => isProtected(entry) || pinned.has(uuidOf(entry) ?? ""));
  return new Set(
    fixed.flatMap((entry) => [
      ...toolUsesOf(entry).map((use) => use.id),
      ...blocksOf(entry).flatMap((block) => answeredId(block) ?? []),
    ]),
  );
}

function withoutCalls(entry: SessionStoreEntry, dropped: ReadonlySet<string>): SessionStoreEntry {
  const next = mapBlocks(entry, (block) => {
    const id = block.type === "tool_use" ? block.id : answeredId(block);
    return typeof id === "string" && dropped.has(id) ? undefined : block;
  });
  if (next === entry || entry.type !== "user") return next;
  // Marks and copy stand on the entry, not on the block: they go unless they still belong to something in it.
  const left = blocksOf(next).filter((block) => block.type === "tool_result");
  const stillDenied = left.some((block) => block.is_error === true);
  const copyIsDenial = left.length === 0 || (!stillDenied && typeof entry.toolUseResult === "string");
  return withoutFields(next, [
    ...(stillDenied ? [] : ["toolDenialKind", "permissionDecision"]),
    ...(copyIsDenial ? ["toolUseResult"] : []),
  ]);
}

function hasNoContent(entry: SessionStoreEntry): boolean {
  const content = contentOf(entry);
  return Array.isArray(content) && content.length === 0;
}

/** Thinking of a message that has nothing else left: the API takes no message of thoughts alone. */
function bareThoughts(
  entries: readonly SessionStoreEntry[],
  touched: ReadonlySet<string>,
): readonly SessionStoreEntry[] {
  const isThought = (type: string): boolean => type === "thinking" || type === "redacted_thinking";
  const speaking = new Set(
    entries.flatMap((entry) =>
      blocksOf(entry).every((block) => isThought(block.type)) ? [] : (messageIdOf(entry) ?? []),
    ),
  );
  return entries.filter((entry) => {
    const id = messageIdOf(entry);
    return id !== undefined && touched.has(id) && !speaking.has(id);
  });
}
