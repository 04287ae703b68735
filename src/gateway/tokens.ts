import { z } from "zod";

/** Tokens of one answer, by what they cost. The classes do not overlap. */
export interface Tokens {
  /** Neither read from a cache nor written to one. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
}

export const NO_TOKENS: Tokens = Object.freeze({
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
});

const count = z.number().nonnegative().nullish().catch(undefined);

/** `usage` of a message, of `message_start` and of `message_delta`; every part of it may be missing. */
export const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z
    .object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
    .nullish()
    .catch(undefined),
});

/**
 * What is known after one more `usage`: its numbers are totals, not additions, and what it does not name stays.
 * A sum of cache writes without its parts counts as the cheaper kind, but for what is known to be the other.
 */
export function withUsage(known: Tokens, usage: z.infer<typeof usageSchema>): Tokens {
  const oneHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? known.cacheWrite1h;
  const total = usage.cache_creation_input_tokens ?? known.cacheWrite5m + known.cacheWrite1h;
  return {
    input: usage.input_tokens ?? known.input,
    cacheRead: usage.cache_read_input_tokens ?? known.cacheRead,
    cacheWrite5m: usage.cache_creation?.ephemeral_5m_input_tokens ?? Math.max(0, total - oneHour),
    cacheWrite1h: oneHour,
    output: usage.output_tokens ?? known.output,
  };
}
