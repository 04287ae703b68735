import type { SDKMessage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { contextOf, isSynthetic, resultMessageText } from "./normalize.ts";
import { WorkInProgress } from "./work-in-progress.ts";

/** Sent by the CLI, missing in the SDK's types (0.3.332). */
const sinceLastResult = z.object({
  model_usage_since_last_result: z.record(z.string(), z.object({ costUSD: z.number() })),
});

/** How a query ended; a value, whatever happened to it. */
export interface QueryOutcome {
  /** Known from the first message on; null when the CLI never got that far. */
  readonly sessionId: string | null;
  readonly ok: boolean;
  /** Prose of the main thread, blocks joined by a blank line. Never an API error, never a subagent's words. */
  readonly text: string;
  /** The part of it that belongs to the last reply: what the turn ended with. */
  readonly closing: string;
  readonly error: string | null;
  /** API errors that the CLI wrote into the conversation, main thread only. */
  readonly errors: readonly string[];
  /** US dollars of this query alone, subagents included. */
  readonly costUsd: number;
  readonly numTurns: number;
  /** Tokens in the main thread's context at its last reply. */
  readonly context: number;
  /** The same at its first reply: what a session costs before it has done anything. */
  readonly firstContext: number;
  /** The model that answered last on the main thread. */
  readonly servedModel: string | null;
  /** The CLI's word for why the last turn ended, null when it never said. */
  readonly terminalReason: string | null;
}

/** Folds the messages of one query into its outcome. */
export class OutcomeFold {
  #sessionId: string | null = null;
  #lastResult: SDKResultMessage | undefined;
  #context = 0;
  #firstContext = 0;
  #costUsd = 0;
  #numTurns = 0;
  #servedModel: string | null = null;
  readonly #prose: string[] = [];
  /** Blocks of one reply arrive one by one under the same message id (HARNESS 1). */
  #closing: { id: string; texts: string[] } = { id: "", texts: [] };
  readonly #errors: string[] = [];
  /** What has not ended yet. */
  readonly progress = new WorkInProgress();

  take(message: SDKMessage): void {
    this.progress.take(message);
    // The state is told before there is a session to go on with.
    const isState = message.type === "system" && message.subtype === "session_state_changed";
    if (!isState && "session_id" in message && typeof message.session_id === "string")
      this.#sessionId = message.session_id;
    switch (message.type) {
      case "assistant":
        if (message.parent_tool_use_id === null) this.#takeReply(message);
        break;
      case "result":
        this.#lastResult = message;
        this.#numTurns += message.num_turns;
        this.#costUsd += costSinceLastResult(message);
        break;
      default:
    }
  }

  #takeReply(message: Extract<SDKMessage, { type: "assistant" }>): void {
    const texts = message.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    if (isSynthetic(message)) {
      this.#errors.push(...texts);
      return;
    }
    this.#prose.push(...texts);
    if (this.#closing.id !== message.message.id) this.#closing = { id: message.message.id, texts: [] };
    this.#closing.texts.push(...texts);
    this.#context = contextOf(message);
    this.#firstContext ||= this.#context;
    this.#servedModel = message.message.model;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  get context(): number {
    return this.#context;
  }

  /**
   * The outcome. `failure` is what the iterator threw; after the last result it only repeats it (HARNESS 6) and
   * the result counts. While background agents are at work a result is not the last one. `stderr` says why an
   * agent was stopped without a word to the main thread.
   */
  outcome(failure: string | undefined, stderr = ""): QueryOutcome {
    const result = this.#lastResult;
    const error = this.#errorOf(result, { failure, stderr });
    return {
      sessionId: this.#sessionId,
      ok: error === null,
      text: this.#prose.join("\n\n"),
      closing: this.#closing.texts.join("\n\n"),
      error,
      errors: [...this.#errors],
      costUsd: this.#costUsd,
      numTurns: this.#numTurns,
      context: this.#context,
      firstContext: this.#firstContext,
      servedModel: this.#servedModel,
      terminalReason: result?.terminal_reason ?? null,
    };
  }

  #errorOf(
    result: SDKResultMessage | undefined,
    { failure, stderr }: { failure: string | undefined; stderr: string },
  ): string | null {
    if (result === undefined) return failure ?? "the CLI ended without a result";
    const error = errorOf(result);
    if (error !== null) return error;
    if (this.progress.lostAgents) return stderr.trim() || "a subagent was stopped before it had reported";
    return this.progress.rests ? null : (failure ?? null);
  }
}

/**
 * `total_cost_usd` goes on counting where a resumed session stopped, so that the sum over queries would count
 * the same tokens again; the usage since the last result does not (CLI 2.1.332).
 */
function costSinceLastResult(message: SDKResultMessage): number {
  const since = sinceLastResult.safeParse(message);
  if (!since.success) return message.total_cost_usd;
  return Object.values(since.data.model_usage_since_last_result).reduce(
    (sum, model) => sum + model.costUSD,
    0,
  );
}

/** `is_error` decides, never the subtype: an API failure is `success` with `is_error` (HARNESS 6). */
function errorOf(result: SDKResultMessage): string | null {
  if (!result.is_error && result.subtype === "success") return null;
  const text = resultMessageText(result);
  return text === "" ? (result.terminal_reason ?? result.subtype) : text;
}
