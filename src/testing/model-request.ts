/** A call as a scenario sees it: what the CLI sent, in a form that does not depend on the model's name. */

/**
 * `turn`: a step of a conversation. The others are asked by the CLI for itself: `compaction` (a summary of the
 * conversation), `probe` (is this model there? asked by `setModel` and by credential checks), `count-tokens`
 * (asked by `getContextUsage`), `progress-summary` (asked by `agentProgressSummaries`).
 */
export type RequestKind = "turn" | "probe" | "compaction" | "count-tokens" | "progress-summary";

/** A block of the Messages API; what it holds depends on its type and is for the reader to narrow. */
export interface ContentBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface ModelMessage {
  /** `user`, `assistant`, and for newer model names also `system`. */
  readonly role: string;
  /** A plain string was made one text block. */
  readonly content: readonly ContentBlock[];
}

/** A tool call and what came of it. */
export interface ToolExchange {
  readonly id: string;
  /** The tool's name, found by the id in the history; empty when the call is not there. */
  readonly tool: string;
  readonly input: unknown;
  /** The texts of the result, without the token reminder that the CLI appends. */
  readonly text: string;
  readonly isError: boolean;
}

/** Frozen, with all it holds. */
export interface ModelRequest {
  /** Position among the calls, from 0, in order of arrival. */
  readonly index: number;
  /** With the query: `/v1/messages?beta=true`. */
  readonly path: string;
  readonly kind: RequestKind;
  /** Whether the answer is to be streamed. */
  readonly stream: boolean;
  readonly model: string;
  /** All blocks of the system prompt, joined by newlines. */
  readonly system: string;
  /** Names on the wire. */
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
  /** Text of the last user message without reminders; empty when it only carries tool results. */
  readonly prompt: string;
  /** Text of the first user message without reminders: what the conversation began with. */
  readonly firstPrompt: string;
  /** Everything after the model's last answer, verbatim: texts, tool results, reminders, system messages. */
  readonly latest: string;
  /** What the last user message brings back, in the order it does. */
  readonly toolResults: readonly ToolExchange[];
  /** Every tool call with a result so far, in the order of the results. */
  history(): readonly ToolExchange[];
  readonly agent: "main" | "subagent";
  /** Of a subagent: the id that the SDK's messages and hooks use too. */
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  /** Lower-case names; values of credentials are replaced by `[credential]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Which header brought the credential. */
  readonly credential: "x-api-key" | "bearer" | "none";
  /** Whether the credential was this one; the value itself is kept out of everything that is recorded. */
  credentialIs(value: string): boolean;
  /** The body as it came. */
  readonly body: unknown;
}
