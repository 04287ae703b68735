import { subjectOf } from "../../../agent/normalize.ts";
import type { Lang } from "../../../lang/lang.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import { shortLength } from "../../../store/id-prefix.ts";
import { entryOf } from "../../../store/rows.ts";
import type { StoredTranscript } from "../../../store/session-archive.ts";
import {
  answeredId,
  type Block,
  blocksOf,
  contentOf,
  isApiError,
  isProtected,
  isRecord,
  parentOf,
  resultText,
  uuidOf,
} from "../../../store/transcript.ts";
import type { SessionStoreEntry } from "../../../store/types.ts";
import { type LineOptions, Lines } from "../../lines.ts";

export interface TranscriptLook extends LineOptions {
  readonly lang: Lang;
  /** Also thinking, and what the harness itself said. */
  readonly verbose: boolean;
}

/** A subagent's transcript, and what is known of where it belongs. */
interface Agent {
  readonly id: string;
  readonly role: string;
  readonly callId: string | undefined;
  readonly entries: readonly SessionStoreEntry[];
}

/** What stays the same over all threads of a session. */
interface Reading {
  readonly look: TranscriptLook;
  readonly agents: readonly Agent[];
  /** Those whose lines are there already: each is shown once, and none inside itself. */
  readonly shown: Set<Agent>;
  readonly idChars: number;
}

/**
 * A session for people: who said what, each call in a line, results in a line, a subagent indented below the call that
 * started it. What the main thread said begins with the id of the message. Everything a model or a tool wrote is
 * stripped of control sequences (`Lines`).
 */
export function transcriptLines(transcripts: readonly StoredTranscript[], look: TranscriptLook): string[] {
  const main = entriesOf(transcripts.find(({ subpath }) => subpath === undefined));
  const reading: Reading = {
    look,
    agents: transcripts.filter(({ subpath }) => subpath !== undefined).map(agentOf),
    shown: new Set(),
    idChars: shortLength(main.flatMap((entry) => uuidOf(entry) ?? [])),
  };
  const lines = threadLines(main, reading, 0);
  // Whatever started them is not there: they are, all the same.
  const rest = reading.agents.flatMap((agent) => agentLines(agent, reading, 1));
  const unreadable = transcripts
    .flatMap(({ payloads }) => payloads)
    .filter((payload) => entryOf(payload) === undefined).length;
  const say = sessionsMessages[look.lang];
  const note = unreadable === 0 ? [] : new Lines(look, 0).one("error", say.note(unreadable), "yellow");
  return [...lines, ...rest, ...note];
}

function entriesOf(transcript: StoredTranscript | undefined): readonly SessionStoreEntry[] {
  return (transcript?.payloads ?? []).flatMap((payload) => entryOf(payload) ?? []);
}

function agentOf(transcript: StoredTranscript): Agent {
  const entries = entriesOf(transcript);
  const metadata = entries.findLast(({ type }) => type === "agent_metadata") ?? {};
  const [id = ""] = /[^/]*$/.exec(transcript.subpath ?? "") ?? [];
  return {
    id: id.replace(/^agent-/, ""),
    role: "agentType" in metadata && typeof metadata["agentType"] === "string" ? metadata["agentType"] : "",
    callId:
      "toolUseId" in metadata && typeof metadata["toolUseId"] === "string"
        ? metadata["toolUseId"]
        : undefined,
    entries,
  };
}

function agentLines(agent: Agent, reading: Reading, depth: number): string[] {
  if (reading.shown.has(agent)) return [];
  reading.shown.add(agent);
  const say = sessionsMessages[reading.look.lang];
  const title = say.subagent([agent.role, agent.id].filter((part) => part !== "").join(" "));
  return [
    ...new Lines(reading.look, depth).one("task", title, "blue"),
    ...threadLines(agent.entries, reading, depth),
  ];
}

function threadLines(entries: readonly SessionStoreEntry[], reading: Reading, depth: number): string[] {
  const startedBy = agentIdsByCall(entries);
  const known = new Set<string>();
  let last: string | undefined;
  return entries.flatMap((entry) => {
    const shown = entryLines(entry, reading, depth);
    const branch = depth === 0 && shown.length > 0 ? branchLines(entry, { known, last, reading }) : [];
    const uuid = uuidOf(entry);
    if (uuid !== undefined) {
      known.add(uuid);
      last = uuid;
    }
    const calls = blocksOf(entry).flatMap((block) =>
      block.type === "tool_use" && typeof block["id"] === "string" ? [block["id"]] : [],
    );
    const below = reading.agents.filter(({ id, callId }) =>
      calls.some((call) => call === callId || startedBy.get(call)?.has(id) === true),
    );
    return [...branch, ...shown, ...below.flatMap((agent) => agentLines(agent, reading, depth + 1))];
  });
}

/** Results name the subagent that they are of: older metadata does not name the call. */
function agentIdsByCall(entries: readonly SessionStoreEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const entry of entries) {
    const result = entry["toolUseResult"];
    const agentId = isRecord(result) ? result["agentId"] : undefined;
    if (typeof agentId !== "string") continue;
    for (const block of blocksOf(entry)) {
      const call = answeredId(block);
      if (call !== undefined) found.set(call, new Set([...(found.get(call) ?? []), agentId]));
    }
  }
  return found;
}

/** Where somebody went back in the session (`--at`): what stands between is no part of the history any more. */
function branchLines(
  entry: SessionStoreEntry,
  { known, last, reading }: { known: ReadonlySet<string>; last: string | undefined; reading: Reading },
): string[] {
  const parent = parentOf(entry);
  // The results of calls that ran together hang on their own calls.
  const isResult = blocksOf(entry).some((block) => answeredId(block) !== undefined);
  if (typeof parent !== "string" || parent === last || !known.has(parent) || isResult) return [];
  const say = sessionsMessages[reading.look.lang];
  return new Lines(reading.look, 0).one("system", say.branch(parent.slice(0, reading.idChars)), "yellow");
}

function entryLines(entry: SessionStoreEntry, reading: Reading, depth: number): string[] {
  const { look } = reading;
  if (entry.type !== "user" && entry.type !== "assistant") return [];
  const lines = new Lines(look, depth);
  const id = depth === 0 ? `${(uuidOf(entry) ?? "").slice(0, reading.idChars)} ` : "";
  if (isApiError(entry)) return lines.few("error", id + textOf(entry), "red");
  if (isProtected(entry)) return look.verbose ? lines.one("system", id + textOf(entry), "dim") : [];
  const content = contentOf(entry);
  const icon = entry.type === "user" ? "ask" : "text";
  const color = entry.type === "user" ? "green" : undefined;
  if (typeof content === "string") return lines.block(icon, id + content, color);
  return blocksOf(entry).flatMap((block) => {
    switch (block.type) {
      case "text":
        return lines.block(icon, id + stringOf(block, "text"), color);
      case "thinking":
        return look.verbose ? lines.block("thinking", id + stringOf(block, "thinking"), "dim") : [];
      case "tool_use":
        return lines.one("call", `${id}${stringOf(block, "name")} ${subjectOf(block["input"])}`, "cyan");
      case "tool_result":
        return block["is_error"] === true
          ? lines.few("failed", resultText(block), "red")
          : lines.one("system", resultText(block), "dim");
      default:
        return lines.one("system", `${id}[${block.type}]`, "dim");
    }
  });
}

function textOf(entry: SessionStoreEntry): string {
  const content = contentOf(entry);
  if (typeof content === "string") return content;
  return blocksOf(entry)
    .map((block) => stringOf(block, "text"))
    .join("\n");
}

function stringOf(block: Block, field: string): string {
  const value = block[field];
  return typeof value === "string" ? value : "";
}
