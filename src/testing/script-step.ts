/**
 * What the scripted model can be told to do with one call. Steps are frozen data: they can be written once and
 * used in many scripts.
 */

/** Tokens of one answer, as the API counts them: `input` excludes what was read from or written to the cache. */
export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What an answer costs when its step does not say: small, and easy to recognise in a sum. */
export const DEFAULT_USAGE: ScriptedUsage = Object.freeze({
  input: 100,
  output: 10,
  cacheRead: 0,
  cacheWrite: 0,
});

export interface ScriptedToolCall {
  /** The wire name: `Bash`, `Agent`, `mcp__human__ask`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Default: a random one for every answer. */
  readonly id?: string;
}

export interface ReplyOptions {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly usage?: Partial<ScriptedUsage>;
  /** Default: `tool_use` with tool calls, else `end_turn`. */
  readonly stopReason?: string;
  /** Default: the model that was asked. */
  readonly model?: string;
  /** A pause before every content block but the first. Streamed answers only. */
  readonly betweenBlocksMs?: number;
}

export interface ReplyStep {
  readonly kind: "reply";
  readonly text: string | undefined;
  readonly thinking: string | undefined;
  readonly toolCalls: readonly ScriptedToolCall[];
  readonly usage: ScriptedUsage;
  readonly stopReason: string;
  readonly model: string | undefined;
  readonly betweenBlocksMs: number;
}

export interface ErrorStep {
  readonly kind: "error";
  readonly status: number;
  /** The API's error type, such as `overloaded_error`. */
  readonly type: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As an `error` event in a stream that began with status 200; a plain request gets the true status. */
  readonly inStream: boolean;
}

export interface DropStep {
  readonly kind: "drop";
  readonly when: CutPoint;
  /** The answer whose beginning is sent before a cut in mid-stream. */
  readonly after: ReplyStep;
}

export interface StallStep {
  readonly kind: "stall";
  readonly when: CutPoint;
  /** How long nothing comes; then the answer goes on. Undefined: until the client gives up. */
  readonly ms: number | undefined;
  readonly step: ReplyStep;
}

export interface DelayStep {
  readonly kind: "delay";
  readonly ms: number;
  readonly step: ScriptStep;
}

/** `before-headers`: nothing was sent at all. `mid-stream`: the last block of the answer is half sent. */
export type CutPoint = "before-headers" | "mid-stream";

export type ScriptStep = ReplyStep | ErrorStep | DropStep | StallStep | DelayStep;
