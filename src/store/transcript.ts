import type { SessionStoreEntry } from "./types.ts";

/**
 * Tolerant reading of transcript entries. They are the CLI's private format (read from 2.1.332 and older ones),
 * so nothing here throws, and what is not recognised is simply not there.
 */

/** One block of a message's content, as it was written. */
export type Block = { readonly type: string; readonly [field: string]: unknown };

/** A call of a tool, as the assistant made it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The content blocks of a message; a plain string, or none, is no blocks. */
export function blocksOf(entry: SessionStoreEntry): readonly Block[] {
  const content = contentOf(entry);
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

/** `message.content` as it stands. */
export function contentOf(entry: SessionStoreEntry): unknown {
  return isRecord(entry.message) ? entry.message.content : undefined;
}

/** The entry with other content. */
export function withContent(entry: SessionStoreEntry, content: unknown): SessionStoreEntry {
  const message = isRecord(entry.message) ? entry.message : {};
  return { ...entry, message: { ...message, content } };
}

/**
 * Rewrites the blocks of an entry: `undefined` drops one, the same object keeps it.
 * Contract: when every block is kept, the very same entry comes back.
 */
export function mapBlocks(
  entry: SessionStoreEntry,
  rewrite: (block: Block) => Block | undefined,
): SessionStoreEntry {
  const content = contentOf(entry);
  if (!Array.isArray(content)) return entry;
  let changed = false;
  const next = content.flatMap((item: unknown) => {
    if (!isBlock(item)) return [item];
    const rewritten = rewrite(item);
    if (rewritten !== item) changed = true;
    return rewritten === undefined ? [] : [rewritten];
  });
  return changed ? withContent(entry, next) : entry;
}

/** The entry without some fields. */
export function withoutFields(entry: SessionStoreEntry, fields: readonly string[]): SessionStoreEntry {
  const rest = Object.entries(entry).filter(([field]) => !fields.includes(field));
  return { ...Object.fromEntries(rest), type: entry.type };
}

/** The tool calls in an assistant entry. */
export function toolUsesOf(entry: SessionStoreEntry): readonly ToolUse[] {
  if (entry.type !== "assistant") return [];
  return blocksOf(entry).flatMap((block) => {
    if (block.type !== "tool_use" || typeof block.id !== "string") return [];
    const name = typeof block.name === "string" ? block.name : "";
    return [{ id: block.id, name, input: isRecord(block.input) ? block.input : {} }];
  });
}

/** The id of the call that a block answers, when it is a tool_result. */
export function answeredId(block: Block): string | undefined {
  if (block.type !== "tool_result") return undefined;
  return typeof block.tool_use_id === "string" ? block.tool_use_id : undefined;
}

/** Ids of the calls that a user entry answers. */
export function answeredIdsOf(entry: SessionStoreEntry): readonly string[] {
  if (entry.type !== "user") return [];
  return blocksOf(entry).flatMap((block) => answeredId(block) ?? []);
}

/** All calls of a transcript by id. */
export function toolUsesById(entries: readonly SessionStoreEntry[]): ReadonlyMap<string, ToolUse> {
  return new Map(entries.flatMap((entry) => toolUsesOf(entry).map((use) => [use.id, use] as const)));
}

/** The text of a tool_result's content: a string, or its text blocks in one. Images and documents are not text. */
export function resultText(block: Block): string {
  const content = block.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part: unknown) => textOf(part) ?? []).join("\n");
}

/**
 * A tool_result whose text is `text`: the first text takes its place, further ones go, and whatever is no text
 * (images, documents, references) stays where it is.
 */
export function withResultText(block: Block, text: string): Block {
  const content = block.content;
  if (!Array.isArray(content)) return { ...block, content: text };
  let placed = false;
  const next = content.flatMap((part: unknown) => {
    if (textOf(part) === undefined) return [part];
    if (placed) return [];
    placed = true;
    return [{ type: "text", text }];
  });
  return { ...block, content: next };
}

/** The text of a text block. */
export function textOf(part: unknown): string | undefined {
  return isBlock(part) && part.type === "text" && typeof part.text === "string" ? part.text : undefined;
}

/**
 * A summary of what was compacted away, or the harness's own remark: the only form in which that part of history
 * exists, so its content is never touched (a red line; its `parentUuid` may follow when an ancestor goes).
 */
export function isProtected(entry: SessionStoreEntry): boolean {
  return entry.isCompactSummary === true || entry.isMeta === true;
}

/** An API error that the CLI wrote down as if the assistant had said it. */
export function isApiError(entry: SessionStoreEntry): boolean {
  return entry.type === "assistant" && entry.isApiErrorMessage === true;
}

/** The id of the API message that an assistant entry is one block of. */
export function messageIdOf(entry: SessionStoreEntry): string | undefined {
  if (entry.type !== "assistant" || !isRecord(entry.message)) return undefined;
  const id = entry.message.id;
  return typeof id === "string" ? id : undefined;
}

/** Uuid of the entry, when it can be part of the chain. */
export function uuidOf(entry: SessionStoreEntry): string | undefined {
  return typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : undefined;
}

/** Uuid of the parent; null at a root, undefined for an entry outside the chain. */
export function parentOf(entry: SessionStoreEntry): string | null | undefined {
  const parent = entry.parentUuid;
  return typeof parent === "string" || parent === null ? parent : undefined;
}

/**
 * Tokens that the model read for this message (input + cache read + cache creation); 0 when the entry is not a
 * real message of the main thread or does not tell. Synthetic messages report zeros.
 */
export function contextTokensOf(entry: SessionStoreEntry): number {
  if (entry.type !== "assistant" || entry.isSidechain === true || isApiError(entry)) return 0;
  const usage = isRecord(entry.message) ? entry.message.usage : undefined;
  if (!isRecord(usage)) return 0;
  return (
    count(usage.input_tokens) +
    count(usage.cache_read_input_tokens) +
    count(usage.cache_creation_input_tokens)
  );
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value.type === "string";
}
