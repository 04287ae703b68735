import { join } from "node:path";
import type { Event } from "../../src/events/event.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import type { ModelCall } from "../../src/testing/index.ts";

/** Words of any failure in the matrix, as the API, Node and the CLI put them; none may be read by a model later. */
export const ERROR_TEXT =
  /API Error|Internal server error|overloaded|rate limit|rate_limit|\b(?:429|500|529|401|403|404)\b|ECONN|ENOTFOUND|socket|Connection (?:dropped|to the API)|timed out|Invalid API key|authenticat|no permission|selected model|tool use concurrency|ids were found|[Pp]rompt is too long|output token maximum|can't help with this|<synthetic>/;

/** What was told, in order; the same thing several times in a row once, with their number. */
export function told(events: readonly Event[]): string {
  const names = events.flatMap((event): string[] => {
    if (event.kind === "retry") return [event.payload.phase];
    if (event.kind === "error") return ["error"];
    if (event.kind === "handoff") return [`handoff ${event.payload.phase}`];
    if (event.kind === "system" && event.payload["subtype"] === "model_differs") return ["model differs"];
    return [];
  });
  const runs: { name: string; count: number }[] = [];
  for (const name of names) {
    const last = runs.at(-1);
    if (last?.name === name) last.count += 1;
    else runs.push({ name, count: 1 });
  }
  return runs.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}

/** What the model was sent, as texts: without the CLI's reminders, and what differs from run to run. */
export function sent(call: ModelCall | undefined): readonly string[] {
  const messages = call?.request.messages ?? [];
  return messages.flatMap(({ role, content }) =>
    content
      .map((block) => steady(JSON.stringify(block)))
      .filter((text) => !text.startsWith('{"type":"text","text":"<system-reminder>'))
      .map((text) => `${role}: ${text}`),
  );
}

/** Ids, directories, dates and what the CLI counts differ between two runs of the same conversation. */
function steady(text: string): string {
  return text
    .replaceAll(',"cache_control":{"type":"ephemeral"}', "")
    .replaceAll(/toolu_\w+/g, "toolu")
    .replaceAll(/\bmsg_\w+|\breq_\w+/g, "id")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid")
    .replaceAll(/\ba[0-9a-f]{16}\b/g, "agent")
    .replaceAll(/flower-cli-\w+/g, "world")
    .replaceAll(/\d+ tokens left/g, "tokens left")
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "date")
    .replaceAll(/(?:duration_ms|duration|tokens|tool_uses)[>":\\]*\s*\d+/gi, "count");
}

export interface Rows {
  /** As they are stored, main thread and subagents: kind and content. */
  readonly stored: readonly string[];
  /** As they are fed back when the session goes on. */
  readonly fedBack: readonly string[];
}

/**
 * The rows of a session. Only those with a uuid: the CLI's own bookkeeping (`last-prompt`, …) is written as time passes.
 */
export async function rowsOf(runtime: Runtime, sessionId: string): Promise<Rows> {
  const { projectKey, store } = runtime;
  const raw = new SqliteSessionStore({ path: join(runtime.runDir, "sessions.db") });
  try {
    const subpaths = await store.listSubkeys({ projectKey, sessionId });
    const threads = [undefined, ...subpaths].map((subpath) => ({
      projectKey,
      sessionId,
      ...(subpath === undefined ? {} : { subpath }),
    }));
    const stored = await Promise.all(threads.map((key) => raw.load(key)));
    const fedBack = await Promise.all(threads.map((key) => store.load(key)));
    return { stored: stored.flatMap(shapes), fedBack: fedBack.flatMap(shapes) };
  } finally {
    raw.close();
  }
}

interface Entry {
  readonly uuid?: string;
  readonly type: string;
  readonly subtype?: string;
  readonly attachment?: { readonly type: string };
  readonly message?: { readonly content?: unknown };
}

function shapes(entries: readonly unknown[] | null): string[] {
  return (entries ?? [])
    .map((entry) => entry as Entry)
    .filter(({ uuid }) => uuid !== undefined)
    .map(({ type, subtype, attachment, message }) => {
      const name = [type, subtype, attachment?.type].filter((part) => part !== undefined).join(" ");
      return message === undefined ? name : `${name}: ${steady(JSON.stringify(message.content))}`;
    });
}
