import { randomUUID } from "node:crypto";
import { type Options, query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Clock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import type { Event } from "../events/event.ts";
import { QUERY_MARKER } from "./environment.ts";
import { IdleTimer } from "./idle-timer.ts";
import { InputStream } from "./input-stream.ts";
import { normalize } from "./normalize.ts";
import { killUntilGone, markedProcesses, spawnCli } from "./processes.ts";
import { OutcomeFold, type QueryOutcome } from "./query-outcome.ts";
import { lifecycleOf, Talk, type Words } from "./talk.ts";

/** What may be done to a query while it runs. */
export interface QueryControl {
  /**
   * Stops the current turn now; calls in flight come back as interrupted. The session stays whole, and a subagent
   * goes on in the background. `next` is said in the same process as soon as the turn stands.
   */
  interrupt(next?: Words): void;
  /**
   * Says words at the next boundary of the turn that is running, or in a turn of their own when it ends before; a
   * subagent that works in the foreground goes on in the background. False: the query takes no more words.
   */
  say(words: Words): boolean;
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
  /**
   * Called when the CLI was killed or failed, with the same directory, of which the SDK leaves nothing after that when it
   * was one of its own making. Contract: must not throw.
   */
  readonly onCrash?: ((configDirectory: string) => void) | undefined;
}

/**
 * How long a query stays for commands that its main thread left running (they outlived their time limit) when
 * nothing else goes on: the CLI's own measure for waiting in the background, in milliseconds (2.1.332).
 */
const COMMAND_WAIT_MS = 600_000;
/**
 * How long a query that rests stays for words, or for an interrupt, whose receipt does not come, in milliseconds. The
 * receipt of words follows within one: a CLI that has not given it by then never will.
 */
const RECEIPT_WAIT_MS = 60_000;
/** Characters of the CLI's stderr kept for an error: a startup refusal stands only there (HARNESS 6). */
const STDERR_CHARS = 2_000;

/**
 * Starts a query of the SDK, drains it and ends it; the only place that does.
 *
 * Contract: never rejects; how it ended is the outcome. Drains until nothing will follow: no turn, no background
 * agent, no words that were said and not taken yet (for a minute). Commands that the main thread left running hold
 * it for ten minutes at most. After a crash or an abort no process that the query started is left; after a turn that
 * ended by itself a server that was detached from the shell (`nohup … &`) may live on.
 */
export async function runQuery(run: QueryRun): Promise<QueryOutcome> {
  const input = new InputStream();
  const fold = new OutcomeFold();
  const { progress } = fold;
  const abort = new AbortController();
  const marker = randomUUID();
  let stderr = "";
  let failure: string | undefined;
  let killing: Promise<unknown> | undefined;
  let isDrained = false;
  const kill = (): Promise<unknown> => killUntilGone(() => markedProcesses(QUERY_MARKER, marker), run.clock);
  const onAbort = (): void => {
    // The SDK gives the CLI two seconds of grace, in which it goes on calling tools and the model (0.3.332).
    killing = kill();
    abort.abort();
  };
  run.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    run.signal?.throwIfAborted();
    input.push(run.prompt);
    const running = query({
      prompt: input,
      options: {
        ...run.options,
        env: { ...run.options.env, [QUERY_MARKER]: marker },
        abortController: abort,
        spawnClaudeCodeProcess: (options) => {
          // On a resume the SDK lays the transcript into a directory of its own making (0.3.332).
          const configDirectory = options.env["CLAUDE_CONFIG_DIR"] ?? "";
          run.onSpawn?.(configDirectory);
          return spawnCli(options, {
            stderr: (text) => {
              stderr = `${stderr}${text}`.slice(-STDERR_CHARS);
            },
            crash: () => run.onCrash?.(configDirectory),
          });
        },
      },
    });
    const talk = new Talk({ running, input, progress, onQuiet: () => endWhenOver() });
    const commandWait = new IdleTimer(run.clock, COMMAND_WAIT_MS, () => {
      // Killing the CLI would leave them running. One that cannot be stopped must not hold the query either.
      const stopped = progress.leftCommands.map((id) => running.stopTask(id));
      Promise.all(stopped).catch(onAbort);
    });
    const receiptWait = new IdleTimer(run.clock, RECEIPT_WAIT_MS, () => input.end());
    const endWhenOver = (): void => {
      const isOver = progress.isOver && !isDrained;
      const isHeld = progress.leftCommands.length > 0;
      commandWait.set(isOver && talk.isQuiet && isHeld);
      receiptWait.set(isOver && !talk.isQuiet);
      if (isOver && talk.isQuiet && !isHeld) input.end();
    };
    const control: QueryControl = {
      interrupt: (next) => talk.interrupt(next),
      say: (words) => talk.say(words),
      get context() {
        return fold.context;
      },
    };
    run.onStart?.(control);
    try {
      for await (const message of running) {
        const known = fold.sessionId;
        fold.take(message);
        talk.take(message);
        if (fold.sessionId !== null && fold.sessionId !== known) run.onSession?.(fold.sessionId);
        if (!isProtocol(message)) for (const event of normalize(message)) run.onEvent?.(event, control);
        endWhenOver();
      }
    } finally {
      // An interrupt may settle only now, and must start no timer.
      isDrained = true;
      commandWait.set(false);
      receiptWait.set(false);
    }
  } catch (thrown) {
    failure = describeFailure(thrown, stderr);
  } finally {
    input.end();
    run.signal?.removeEventListener("abort", onAbort);
  }
  await killing;
  if (run.signal?.aborted || (failure !== undefined && !progress.rests)) await kill();
  return fold.outcome(failure, stderr);
}

/** What the CLI says of its own state; nothing that happens in the session. */
function isProtocol(message: SDKMessage): boolean {
  if (message.type === "system") return message.subtype === "session_state_changed";
  return lifecycleOf(message) !== undefined;
}

function describeFailure(thrown: unknown, stderr: string): string {
  const text = errorText(thrown);
  const said = stderr.trim();
  return said === "" || text.includes(said) ? text : `${text}: ${said}`;
}
