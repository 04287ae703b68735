/** US dollars for a million tokens of each kind. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** Tokens of one request by what they cost; `input` excludes what was read from or written to the cache. */
export type TokenCounts = { readonly [K in keyof Price]: number };

/**
 * A price whose cache is priced by the usual rule: writing for five minutes costs 1.25 of the input, for an hour 2.
 */
function price(input: number, output: number, cacheRead: number): Price {
  return { input, output, cacheRead, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 };
}

/**
 * What the CLI counts a model at (CLI 2.1.332; `test/config/prices.test.ts` asks it again). The first that fits counts.
 * Not a bill: a gateway or a contract may have other prices, and flower's books follow the CLI's in everything.
 */
const PRICES: readonly (readonly [RegExp, Price])[] = [
  [/(?:fable|mythos)-5-2/, price(8, 40, 0.2)],
  [/(?:fable|mythos)-5-1/, price(10, 50, 0.25)],
  [/(?:fable|mythos)-5/, price(10, 50, 1)],
  [/opus-5-5/, price(4, 20, 0.2)],
  [/opus-(?:5|4-[5-8])/, price(5, 25, 0.5)],
  [/sonnet-5-5/, price(2, 10, 0.1)],
  [/sonnet-5/, price(2, 10, 0.2)],
  [/sonnet/, price(3, 15, 0.3)],
  [/haiku-5-5/, price(0.5, 2.5, 0.05)],
  [/haiku-4-5/, price(1, 5, 0.1)],
  [/3-5-haiku/, price(0.8, 4, 0.08)],
];

/** What the CLI counts a model at that it does not know. */
const UNKNOWN = price(4, 20, 0.2);

/** What a request to `model` costs, in US dollars. */
export function costOf(model: string, tokens: TokenCounts): number {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } =
    PRICES.find(([pattern]) => pattern.test(model))?.[1] ?? UNKNOWN;
  const perMillion =
    tokens.input * input +
    tokens.output * output +
    tokens.cacheRead * cacheRead +
    tokens.cacheWrite5m * cacheWrite5m +
    tokens.cacheWrite1h * cacheWrite1h;
  return perMillion / 1_000_000;
}
