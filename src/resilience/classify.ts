/** `fatal`: waiting cannot mend it. `transient`: it passes. `unknown`: the text says neither. */
export type ErrorClass = "fatal" | "transient" | "unknown";

/**
 * Whether a failure is worth another attempt, from what it says. Fatal is looked for first: the text of a refused
 * key often speaks of a "connection" too, and waiting for a network that is there would never end.
 *
 * The phrases are those of the API, of Node and of the CLI (read in CLI 2.1.332 and seen in real runs).
 */
export function classify(text: string): ErrorClass {
  const folded = text.toLowerCase().replaceAll("’", "'");
  if (FATAL.some((pattern) => pattern.test(folded))) return "fatal";
  return TRANSIENT.some((pattern) => pattern.test(folded)) ? "transient" : "unknown";
}

/** The API or the way to it was away. A child that died is none: what killed it may do so again after each answer. */
export function isOutage(text: string): boolean {
  return classify(text) === "transient" && !PROCESS_END.test(text.toLowerCase());
}

/** The reply did not fit into what a model may say at once, also after the CLI had it continued (CLI 2.1.332). */
export function isTooLongReply(text: string): boolean {
  return /exceeded the \d+ output token maximum/i.test(text);
}

/**
 * One of these HTTP statuses as a word. Not a status: part of a longer number (4004, 400,000, 1.500), the port or
 * the last part of an address (10.0.0.1:404), an amount ($500), a count or a time (400 tokens, 500 ms).
 */
function status(...codes: readonly number[]): RegExp {
  const before = "(?<![\\w.,$#/-]|\\d:|\\]:)";
  const units =
    "ms|s|sec|secs|seconds?|m|min|minutes?|hours?|tokens?|characters?|chars?|bytes?|[kmg]i?b|px|pixels?";
  const after = `(?![\\w-]|[.,:]\\d|\\s*%|\\s(?:${units})\\b)`;
  return new RegExp(`${before}(?:${codes.join("|")})${after}`);
}

const FATAL: readonly RegExp[] = [
  status(400, 401, 402, 403, 404, 413),
  // The credential is missing, wrong, expired or of somebody who may not.
  /invalid (?:api key|auth token|x-api-key|anthropic_custom_headers)/,
  /authenticat(?:ion|e)\b|authentication_|\bunauthori[sz]ed\b|\bforbidden\b/,
  /permission[ _]denied|permission_error/,
  /not logged in|please run \/login|login expired|oauth token (?:has )?(?:been )?(?:expired|revoked)/,
  /organization has been disabled/,
  // The request itself is wrong, and will be the same the next time.
  /invalid[ _]request|not_found_error|model_not_found/,
  /issue with the selected model|invalid model name/,
  /prompt is too long|request[ _]too[ _]large|autocompact is thrashing|rapid_refill_breaker/,
  // Whoever answers is not who he should be, or nobody here knows him: another try meets the same certificate.
  /self[-_ ]signed|certificate (?:error|hostname mismatch|verification failed|(?:has )?(?:been )?(?:expired|revoked)|is not (?:yet )?(?:valid|trusted))/,
  /\b(?:cert_\w+|unable_to_(?:verify|get_issuer)\w*|hostname_mismatch|err_tls_cert\w*)\b/,
  // Money and limits that were set on purpose.
  /credit balance|usage credits|insufficient_quota|billing_error/,
  /quota (?:was |is |has been )?exceeded|exceeded your (?:current )?quota/,
  /spend limit|usage limits? (?:was |is |has been )?reached|reached your [\w\s-]{0,40}usage limits?/,
  /(?:hit|reached) your [\w\s'-]{0,40}limit|out of usage\b/,
  /\bbudget\b|max_budget|budget_exhausted|max[_ ]turns|maximum number of turns/,
  // The session to resume is not there, and will not come back by itself.
  /no conversation found/,
  // The model declined (`stop_reason: refusal`): in the same session it declines again.
  /can't help with this\. start a new session|usage policy/,
  // A file or directory of this machine is not as it must be; waiting does not mend a disk.
  /\b(?:enoent|eacces|eperm|erofs|enospc|enotdir|eisdir|eloop)\b/,
  // The program cannot start, or was told to stop.
  /cli not found|(?:claude code|native) (?:binary|executable) not found|executable not found/,
  /cannot be used with root\/sudo|sandbox required but unavailable/,
  /process aborted by user/,
];

const PROCESS_END = /process exited with code|process terminated by signal/;

const TRANSIENT: readonly RegExp[] = [
  status(429, 500, 502, 503, 504, 529),
  /\b(?:enotfound|eai_again|econnreset|econnrefused|econnaborted|etimedout|epipe)\b/,
  /\b(?:ehostunreach|ehostdown|enetunreach|enetdown|err_proxy_tunnel|und_err_\w+)\b/,
  /\b(?:failedtoopensocket|connectionrefused|connectionclosed|err_socket_closed)\b/,
  /socket hang up|socket (?:connection )?(?:was )?closed|fetch failed|network error|no internet route/,
  /connection (?:error|refused|reset|closed|lost|timed out|to the api was lost)/,
  /can(?:no|')t reach the api server|cannot reach the api server|unable to connect|couldn't connect/,
  /stream ended (?:before|without)|response could not be read|empty or malformed response/,
  /overloaded|at capacity|rate[ _-]?limit|too many requests|temporarily limiting requests/,
  /tim(?:e|ed)[ _-]?out\b/,
  /(?:temporarily|service) unavailable|internal server error|server_error|bad gateway|api_error/,
  // The child died; its session is in the store and goes on in another one.
  PROCESS_END,
];
