import type { RandomHex } from "../base/ids.ts";
import type { ReplyStep, ScriptedUsage } from "./script-step.ts";

/** An answer on its way: what goes out, piece by piece. */
export interface WireAnswer {
  readonly contentType: string;
  readonly pieces: readonly WirePiece[];
  /** How many pieces go out before a cut or a silence in the middle; always some, never all. */
  readonly middle: number;
}

export interface WirePiece {
  readonly text: string;
  readonly startsBlock: boolean;
}

/** A message of the API before it is streamed or sent whole. */
export interface WireMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly WireBlock[];
  readonly stopReason: string;
  readonly usage: ScriptedUsage;
}

export type WireBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

/**
 * Ids are random: when two processes of one session use the same message id, the CLI merges their entries on
 * replay (2.1.332).
 */
export function wireMessage(step: ReplyStep, askedModel: string, random: RandomHex): WireMessage {
  const blocks: WireBlock[] = [];
  if (step.thinking !== undefined) {
    blocks.push({ type: "thinking", thinking: step.thinking, signature: `scripted-${random(16)}` });
  }
  if (step.text !== undefined) blocks.push({ type: "text", text: step.text });
  for (const call of step.toolCalls) {
    blocks.push({
      type: "tool_use",
      id: call.id ?? `toolu_${random(12)}`,
      name: call.name,
      input: call.input,
    });
  }
  return {
    id: `msg_${random(12)}`,
    model: step.model ?? askedModel,
    blocks,
    stopReason: step.stopReason,
    usage: step.usage,
  };
}

/** `output` is given apart: a stream begins with one token and ends with the true number. */
export function wireUsage(usage: ScriptedUsage, output: number): Record<string, number> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}
