/** Names and values in turn, as they came: duplicates, order and case are kept. */
export type RawHeaders = readonly string[];

/** Of one connection, not of the message (RFC 9110, 7.6.1); `Connection` may name more. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * What the client's connection has beside: its `Host` is ours, its body is sent with a length of its own, its
 * credential is the lane's key. The encoding is asked for anew, see `requestHeaders`.
 */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "expect",
  "accept-encoding",
  "x-api-key",
  "authorization",
]);

/** Whether a header belongs to the connection or to flower, so that nobody else may set it. */
export function isReserved(name: string): boolean {
  const folded = name.toLowerCase();
  return HOP_BY_HOP.has(folded) || ["host", "content-length", "expect", "accept-encoding"].includes(folded);
}

/**
 * The headers of a request on its way out. `own` (credentials and the user's custom headers) replaces what the
 * client sent under the same names.
 *
 * The answer is asked for unencoded: the meter reads what is relayed, and on loopback compression gains nothing.
 */
export function requestHeaders(raw: RawHeaders, own: RawHeaders): string[] {
  const replaced = new Set(pairs(own).map(([name]) => name.toLowerCase()));
  const kept = endToEnd(raw).filter(([name]) => {
    const folded = name.toLowerCase();
    return !NOT_FORWARDED.has(folded) && !replaced.has(folded);
  });
  return [...kept.flat(), ...own, "accept-encoding", "identity"];
}

/** The headers of an answer on its way back, in a form that Node writes as the bytes that came. */
export function responseHeaders(raw: RawHeaders): string[] {
  return endToEnd(raw).flatMap(([name, value]) => [name, asBytes(name, value)]);
}

/** The first value of a header, or undefined. */
export function headerValue(raw: RawHeaders, name: string): string | undefined {
  return pairs(raw).find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** `raw` without the headers of these names, given in lower case. */
export function withoutHeaders(raw: RawHeaders, ...names: readonly string[]): string[] {
  return pairs(raw)
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .flat();
}

/**
 * How long the server asks to wait: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date. Undefined
 * when it does not say, or says nothing that can be understood.
 */
export function retryAfterMs(raw: RawHeaders, nowMs: number): number | undefined {
  const exact = headerValue(raw, "retry-after-ms")?.trim();
  if (exact !== undefined && /^\d+(?:\.\d+)?$/.test(exact)) return Number(exact);
  const value = headerValue(raw, "retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Anything but a date in words ("-5", "2 s") is no date either, whatever the parser makes of it.
  const date = /^[A-Za-z]{3,9},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Headers of one name as one list: undici's `ProxyAgent` (6.29) keeps only the last of them. */
export function joinDuplicates(raw: RawHeaders): string[] {
  const joined = new Map<string, readonly [string, string]>();
  for (const [name, value] of pairs(raw)) {
    const before = joined.get(name.toLowerCase());
    joined.set(
      name.toLowerCase(),
      before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`],
    );
  }
  return [...joined.values()].flat();
}

function endToEnd(raw: RawHeaders): (readonly [string, string])[] {
  const all = pairs(raw);
  const named = all
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((token) => token.trim().toLowerCase()));
  return all.filter(([name]) => {
    const folded = name.toLowerCase();
    return !HOP_BY_HOP.has(folded) && !named.includes(folded);
  });
}

function pairs(raw: RawHeaders): (readonly [string, string])[] {
  const out: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) out.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  return out;
}

/**
 * undici (6.29) reads values as UTF-8, Node writes them as Latin-1; of `content-disposition` undici makes Latin-1
 * itself.
 */
function asBytes(name: string, value: string): string {
  if (name.toLowerCase() === "content-disposition") return value;
  return Buffer.from(value, "utf8").toString("latin1");
}
