import type { AgentSpec } from "../agent/spec.ts";
import { errorText } from "../base/errors.ts";
import { isPlausibleWindow, rememberWindow, windowKey } from "../config/window.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { WINDOW_MESSAGES } from "../lang/messages/window.ts";
import { SqliteSessionStore } from "../store/sqlite-session-store.ts";
import type { RuntimeParts } from "./parts.ts";
import { windowInError } from "./window-in-error.ts";

/**
 * Takes from an overflow what the window of the model really is: for the rest of this run, and for every later one
 * with the same endpoint and model (SPEC 7). An overflow that names no number teaches nothing.
 *
 * The CLI says no more than "Prompt is too long"; the API's own words stand in the row that it stored (2.1.332).
 * Never throws: what cannot be kept is told.
 */
export async function learnWindow(
  parts: RuntimeParts,
  overflow: { readonly spec: AgentSpec; readonly sessionId: string; readonly onEvent: EventSink },
): Promise<void> {
  const { env, lang, clock, handoff } = parts;
  const say = WINDOW_MESSAGES[lang];
  const tell = (text: string): void =>
    overflow.onEvent(createEvent("system", { subtype: "notice" }, { text }));
  try {
    const tokens = windowInError(await newestErrorDetails(parts, overflow.sessionId));
    if (tokens === undefined || !isPlausibleWindow(tokens) || tokens >= handoff.window) return;
    const key = windowKey(env, overflow.spec.model);
    tell(say.nowLearnt(tokens, key.model, handoff.window));
    // A run plans all its steps with one number: too small costs a handoff, too large a conversation.
    handoff.narrow(tokens);
    rememberWindow({ ...key, tokens, lang }, clock);
  } catch (thrown) {
    tell(say.notKept(errorText(thrown)));
  }
}

/** Rows as they were stored: what is fed back has no errors in it. */
async function newestErrorDetails(parts: RuntimeParts, sessionId: string): Promise<string> {
  const { projectKey, store, lang } = parts;
  const stored = new SqliteSessionStore({ path: store.path, lang });
  try {
    const rows = (await stored.load({ projectKey, sessionId })) ?? [];
    const details = rows.findLast((row) => typeof row["errorDetails"] === "string")?.["errorDetails"];
    return typeof details === "string" ? details : "";
  } finally {
    stored.close();
  }
}
