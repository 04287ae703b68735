import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify, isOutage } from "../../src/resilience/classify.ts";

/** Texts seen in real runs (HARNESS 6), read in the CLI, or written by the API and by Node. */
const FATAL = [
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"bad"}}',
  "API Error: 401 nope",
  "status:403",
  '{"status": 404, "message": "x"}',
  "Invalid API key · Fix external API key",
  "Invalid auth token · Fix external auth token",
  "authentication_error",
  "Failed to authenticate.",
  "Unauthorized",
  "EACCES: permission denied, open '/x'",
  "Not logged in · Please run /login",
  "OAuth token has been revoked · Please run /login",
  "OAuth token expired",
  "This organization has been disabled.",
  "There's an issue with the selected model (nope). It may not exist or you may not have access to it.",
  "Prompt is too long",
  "Credit balance is too low",
  "Your credit balance is too low to access the Anthropic API.",
  "You're out of usage credits. /model to switch models.",
  "You’ve hit your monthly spend limit.",
  "You've hit your session limit · resets 3pm",
  "You've hit your 5-hour limit · resets 6:19am (UTC)",
  "You've reached your Opus limit · resets Dec 3, 9am (Europe/Berlin)",
  "Your org is out of usage · add funds to continue",
  "API Error: 413 request_too_large",
  "Request too large (max 32MB). Double press esc to go back and try with a smaller file.",
  "Autocompact is thrashing: the context refilled to the limit",
  "Unable to connect to API: Self-signed certificate detected. Check your proxy or corporate SSL certificates",
  "API Error: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  "Unable to connect to API: SSL certificate has expired",
  "Unable to connect to API: SSL certificate has been revoked",
  "Unable to connect to API: SSL certificate hostname mismatch",
  "Unable to connect to API: SSL certificate verification failed (ERR_1)",
  "Unable to connect to API: SSL certificate is not yet valid",
  "SSL certificate error (ERR_TLS_CERT_ALTNAME_INVALID). If you are behind a corporate proxy",
  "Sandbox required but unavailable: bubblewrap is not installed",
  "You have reached your specified API usage limits.",
  "Quota exceeded for this project",
  "API Error: Sonnet 4.5 can't help with this. Start a new session to continue.",
  "Claude Code process exited with code 1: Error: ENOENT: no such file or directory, mkdir '/x'",
  "You exceeded your current quota",
  "Reached maximum budget ($5)",
  "Claude Code returned an error result: error_max_budget_usd",
  "Reached maximum number of turns (3)",
  "error_max_turns",
  "CLI not found",
  "Claude Code native binary not found at /x. Please ensure Claude Code is installed",
  "Claude Code process exited with code 1\n--dangerously-skip-permissions cannot be used with root/sudo privileges",
  "Claude Code process aborted by user",
];

const TRANSIENT = [
  "getaddrinfo ENOTFOUND api.example.com",
  "getaddrinfo EAI_AGAIN api.example.com",
  "read ECONNRESET",
  "connect ECONNREFUSED 127.0.0.1:404",
  "connect ECONNREFUSED ::1:400",
  "connect ETIMEDOUT 10.0.0.1:443",
  "write EPIPE",
  "connect EHOSTUNREACH",
  "ENETDOWN",
  "socket hang up",
  "fetch failed",
  "Connection error.",
  "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.",
  "API Error: Can't reach the API server — check your internet or DNS (ENOTFOUND)",
  "API Error: Can’t reach the API server",
  "Cannot reach the API server",
  "No internet route — check your connection or VPN (ENETUNREACH)",
  "Connection refused — a firewall or proxy may be blocking it (ConnectionRefused)",
  "Unable to connect to API. Check your internet connection",
  "API Error: Request rejected (429) · slow down",
  "API Error: Request rejected (429) · this would exceed your rate limit of 400,000 input tokens per minute",
  "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
  'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
  "502 Bad Gateway",
  "HTTP/1.1 503 Service Unavailable",
  "504",
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  "overloaded_error",
  "Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary. Try again in a moment.",
  "rate_limit_error",
  "Too many requests",
  "Request timed out after 400 ms",
  "Request timed out. Check your internet connection and proxy settings",
  "timeout of 401 seconds",
  "The API is temporarily unavailable",
  "Stream ended before the response was complete",
  "empty or malformed response (HTTP 200) — check for a proxy or gateway",
  "Claude Code process exited with code 1",
  "Claude Code process terminated by signal SIGKILL",
];

const UNKNOWN = [
  "",
  "something odd happened",
  "the answer had 4004 tokens",
  "the answer had 400 tokens",
  "read 404 characters",
  "costs $500",
  "see issue #401",
  "request-429-abc",
  "at line 400:12",
  "v1.500.2",
  "10.0.0.1:503 said no",
  "[::1]:503 said no",
  "50% of 1,500,000",
  "Claude's response exceeded the 32000 output token maximum",
];

test("an outage is of the network or the API, and not the death of a child", () => {
  expect(["API Error: 529 overloaded", "connect ECONNREFUSED"].map(isOutage)).toEqual([true, true]);
  const others = [
    "Claude Code process exited with code 1",
    "Process terminated by signal SIGKILL",
    "401",
    "hm",
  ];
  expect(others.filter(isOutage)).toEqual([]);
});

describe("classify", () => {
  test.each(FATAL)("fatal: %s", (text) => expect(classify(text)).toBe("fatal"));
  test.each(TRANSIENT)("transient: %s", (text) => expect(classify(text)).toBe("transient"));
  test.each(UNKNOWN)("unknown: %s", (text) => expect(classify(text)).toBe("unknown"));

  test("asks for fatal first, and case does not matter", () => {
    expect(classify("CONNECTION ERROR: 401 UNAUTHORIZED")).toBe("fatal");
    for (const text of [...FATAL, ...TRANSIENT]) expect(classify(text.toUpperCase())).toBe(classify(text));
  });

  test("nothing that is added to a fatal text on another line makes it worth waiting for", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FATAL), fc.constantFrom(...TRANSIENT), (fatal, transient) => {
        expect(classify(`${transient}\n${fatal}`)).toBe("fatal");
        expect(classify(`${fatal}\n${transient}`)).toBe("fatal");
      }),
    );
  });

  test("a status inside a longer number is no status", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(400, 401, 403, 404, 429, 500, 502, 503, 504, 529),
        fc.nat(9),
        (code, digit) => {
          for (const text of [
            `${code}${digit}`,
            `1${digit}${code}`,
            `${digit},${code}`,
            `${code},${digit}00`,
          ]) {
            expect(classify(`seen ${text} times`)).toBe("unknown");
          }
          expect(classify(`seen ${code}, sorry`)).not.toBe("unknown");
        },
      ),
    );
  });
});
