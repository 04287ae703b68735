import { randomUUID } from "node:crypto";
import { type Options, query } from "@anthropic-ai/claude-agent-sdk";
import type { Clock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import type { Event } from "../events/event.ts";
import { QUERY_MARKER } from "./environment.ts";
import { InputStream } from "./input-stream.ts";
import { normalize } from "./normalize.ts";
import { killUntilGone, markedProcesses, spawnCli } from "./processes.ts";
import { OutcomeFold, type QueryOutcome } from "./query-outcome.ts";

/** What may be done to a query while it runs. */
export interface QueryControl {
  /** Stops the current turn now; calls in flight come back as interrupted. The session stays whole. */
  interrupt(): void;
  /** Tokens in the main thread's context so far. */
  readonly context: number;
}

export interface QueryRun {
  readonly options: Options;
  readonly prompt: string;
  readonly clock: Clock;
  /** Ends the query and everything it started. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every event, in order. Contract: must not throw. */
  readonly onEvent?: (event: Event, control: QueryControl) => void;
  /** Called when the session's id is known, before its first event. Contract: must not throw. */
  readonly onSession?: (sessionId: string) => void;
  /** Called once, before the first message. */
  readonly onStart?: (control: QueryControl) => void;
  /** Called when the CLI is started, with the directory in which it keeps its own files. Contract: must not throw. */
  readonly onSpawn?: ((configDirectory: string) => void) | undefined;
}

/** Characters of the CLI's stderr kept for an error: a startup refusal stands only there (HARNESS 6). */
const STDERR_CHARS = 2_000;

/**
 * Starts a query of the SDK, drains it and ends it; the only place that does.
 *
 * Contract: never rejects; how it ended is the outcome. Drains past the first result while a background agent
 * is at work. After a crash or an abort no process that the query started is left; after a turn that ended by
 * itself a server that a worker left running on purpose may live on.
 */
export async function runQuery(run: QueryRun): Promise<QueryOutcome> {
  const input = new InputStream();
  const fold = new OutcomeFold();
  const abort = new AbortController();
  const marker = randomUUID();
  let stderr = "";
  let failure: string | undefined;
  let killing: Promise<unknown> | undefined;
  const kill = (): Promise<unknown> => killUntilGone(() => markedProcesses(QUERY_MARKER, marker), run.clock);
  const onAbort = (): void => {
    // The SDK gives the CLI two seconds of grace, in which it goes on calling tools and the model (0.3.332).
    killing = kill();
    abort.abort();
  };
  run.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    run.signal?.throwIfAborted();
    input.push(asText(run.prompt));
    const running = query({
      prompt: input,
      options: {
        ...run.options,
        env: { ...run.options.env, [QUERY_MARKER]: marker },
        abortController: abort,
        spawnClaudeCodeProcess: (options) => {
          // On a resume the SDK lays the transcript into a directory of its own making (0.3.332).
          run.onSpawn?.(options.env["CLAUDE_CONFIG_DIR"] ?? "");
          return spawnCli(options, (text) => {
            stderr = `${stderr}${text}`.slice(-STDERR_CHARS);
          });
        },
      },
    });
    const control: QueryControl = {
      interrupt: () => {
        // Refused when the turn is over already: then there is nothing left to stop.
        running.interrupt().catch(() => undefined);
      },
      get context() {
        return fold.context;
      },
    };
    run.onStart?.(control);
    for await (const message of running) {
      const known = fold.sessionId;
      fold.take(message);
      if (fold.sessionId !== null && fold.sessionId !== known) run.onSession?.(fold.sessionId);
      for (const event of normalize(message)) run.onEvent?.(event, control);
      if (fold.settled) input.end();
    }
  } catch (thrown) {
    failure = describeFailure(thrown, stderr);
  } finally {
    input.end();
    run.signal?.removeEventListener("abort", onAbort);
  }
  await killing;
  if (run.signal?.aborted || (failure !== undefined && !fold.settled)) await kill();
  return fold.outcome(failure);
}

/** The CLI takes a prompt that begins with a slash for one of its own commands (2.1.332); ours are always words. */
function asText(prompt: string): string {
  return prompt.trimStart().startsWith("/") ? `—\n${prompt}` : prompt;
}

function describeFailure(thrown: unknown, stderr: string): string {
  const text = errorText(thrown);
  const said = stderr.trim();
  return said === "" || text.includes(said) ? text : `${text}: ${said}`;
}
