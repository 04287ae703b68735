/**
 * What happens in each fault: the one table of expectations. `docs/architecture/resilience.md` shows it, `render.ts` says
 * how, and the tests beside it play each line on the real CLI.
 */

/**
 * What a fault leaves behind, from nothing to a new session. In no case but the last is there a word of the error in a
 * later request.
 *
 * `none`: every stored row and every later request is what it would have been without the fault. `a row that no model
 * reads`: the requests are the same; the store has the CLI's note of the try that failed. `the resume prompt`: beside it
 * the later requests are the same. `a handoff document`: a fresh session goes on with one. `none, when it goes on`: the
 * step is over; the next prompt finds a session in which the fault has not happened. `the model's own words`: as before,
 * and what the model had said stays in it. `the CLI's words on the end of the subagent`: the main thread reads them in the
 * place of the report.
 */
export type Trace =
  | "none"
  | "a row that no model reads"
  | "the resume prompt"
  | "a handoff document"
  | "none, when it goes on"
  | "the model's own words"
  | "the CLI's words on the end of the subagent";

export interface Expected {
  /** What is told: phases of `retry` and `handoff`, `error` (the CLI's words in the place of a reply), `model differs`. */
  readonly told: string;
  readonly attempts: number;
  /** `ok`, or the class of the error and words in it. */
  readonly ends: "ok" | { readonly kind: "fatal" | "unknown" | "transient"; readonly words: string };
  readonly trace: Trace;
}

export interface Row {
  readonly fault: string;
  readonly on: Expected;
  readonly off: Expected;
}

const fatal = (words: string) => ({ kind: "fatal", words }) as const;

const held: Expected = { told: "backoff ×2, online", attempts: 1, ends: "ok", trace: "none" };
const resumed: Expected = {
  told: "cli, error, backoff",
  attempts: 2,
  ends: "ok",
  trace: "the resume prompt",
};
/** Told and ended in the same way by both. */
const both = (expected: Expected): Pick<Row, "on" | "off"> => ({ on: expected, off: expected });

/** A tool was called before; then the fault. Without the gateway it outlasts the tries of the CLI. */
export const MAIN_THREAD = {
  "429 with retry-after": { on: held, off: resumed },
  "500 server error": { on: held, off: resumed },
  "529 overloaded": { on: held, off: resumed },
  "cut before the headers": { on: held, off: resumed },
  "cut in mid-stream": {
    on: { told: "cli", attempts: 1, ends: "ok", trace: "a row that no model reads" },
    off: resumed,
  },
  "silence before the first byte": {
    on: { told: "backoff, online", attempts: 1, ends: "ok", trace: "none" },
    off: resumed,
  },
  "connection refused for 60 s": {
    on: { told: "lost, backoff, online", attempts: 1, ends: "ok", trace: "none" },
    off: { ...resumed, told: "cli, error, backoff, lost, online" },
  },
  "DNS failure for 60 s": {
    on: { told: "lost, backoff, online", attempts: 1, ends: "ok", trace: "none" },
    off: { ...resumed, told: "cli, error, backoff, lost, online" },
  },
  "401 key refused": {
    on: { told: "error", attempts: 1, ends: fatal("Invalid API key"), trace: "none, when it goes on" },
    off: { told: "cli, error", attempts: 1, ends: fatal("Invalid API key"), trace: "none, when it goes on" },
  },
  "403 forbidden": both({
    told: "error",
    attempts: 1,
    ends: fatal("Failed to authenticate"),
    trace: "none, when it goes on",
  }),
  "404, no such model": both({
    told: "error",
    attempts: 1,
    ends: fatal("issue with the selected model"),
    trace: "none, when it goes on",
  }),
  "400, bad history": both({
    told: "error",
    attempts: 1,
    ends: fatal("400 due to tool use concurrency"),
    trace: "none, when it goes on",
  }),
  "prompt too long at once": both({
    told: "error, handoff writing, handoff done, error, handoff writing, handoff done",
    attempts: 1,
    ends: { kind: "unknown", words: "two handoff documents in a row" },
    trace: "a handoff document",
  }),
  "prompt too long after some turns": both({
    told: "error, handoff writing, handoff done",
    attempts: 1,
    ends: "ok",
    trace: "a handoff document",
  }),
  "max_tokens, again and again": both({
    told: "error, backoff, error",
    attempts: 2,
    ends: { kind: "unknown", words: "output token maximum" },
    trace: "the model's own words",
  }),
  "refusal by the model": both({
    told: "error",
    attempts: 1,
    ends: fatal("can't help with this"),
    trace: "none, when it goes on",
  }),
  "another model served": both({ told: "model differs", attempts: 1, ends: "ok", trace: "none" }),
} as const satisfies Readonly<Record<string, Pick<Row, "on" | "off">>>;

export type MainFault = keyof typeof MAIN_THREAD;
export const MAIN_FAULTS = Object.keys(MAIN_THREAD) as MainFault[];

const lost: Expected = {
  told: "cli",
  attempts: 1,
  ends: "ok",
  trace: "the CLI's words on the end of the subagent",
};

/** The same in a subagent's work: only where its path is another one than the main thread's. */
export const SUBAGENT = {
  "529 overloaded": { on: held, off: lost },
  "cut in mid-stream": { on: { told: "cli", attempts: 1, ends: "ok", trace: "none" }, off: lost },
  "connection refused for 60 s": {
    on: { told: "lost, backoff, online", attempts: 1, ends: "ok", trace: "none" },
    off: { ...lost, told: "cli ×2, error, backoff, lost, online", attempts: 2 },
  },
} as const satisfies Readonly<Record<string, Pick<Row, "on" | "off">>>;

export type SubagentFault = keyof typeof SUBAGENT;
