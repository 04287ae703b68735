import { sleepUntil } from "../base/clock.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import type { RuntimeParts } from "./parts.ts";

interface FailedAttempt {
  readonly attempt: number;
  readonly error: string;
  readonly onEvent: EventSink;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until a failed attempt may be made again: for the end of a usage limit; else for the network first, then the
 * back-off. Returns undefined when it may, else why not: out of attempts, not worth it, or away for too long.
 *
 * A wait for a limit is bounded by its time, and not by the number of attempts. Rejects only when the signal aborts.
 */
export async function waitToRetry(parts: RuntimeParts, failed: FailedAttempt): Promise<string | undefined> {
  const { resilience, env, clock, lang } = parts;
  const { attempt, error, onEvent, signal } = failed;
  const limit = resilience.limitOf(error);
  if (limit !== undefined) {
    if (limit.retryAtMs === undefined) return limit.text;
    const wait = { phase: "backoff", wait_ms: limit.retryAtMs - clock.now() } as const;
    onEvent(createEvent("retry", { ...wait, attempt, max_attempts: null, error }, { text: limit.text }));
    await sleepUntil(clock, limit.retryAtMs, signal);
    return undefined;
  }
  const attempts = resilience.attemptsFor(error);
  if (attempt >= attempts) return error;
  const retry = { attempt, max_attempts: attempts, error };
  const waitMs = resilience.delayFor(attempt);
  onEvent(createEvent("retry", { ...retry, phase: "backoff", wait_ms: waitMs }, { text: error }));
  const online = await resilience.waitOnline({
    env,
    signal,
    notify: (phase, text) => onEvent(createEvent("retry", { ...retry, phase, wait_ms: null }, { text })),
  });
  if (!online) {
    const minutes = Math.round(resilience.maxOfflineWaitMs / 60_000);
    return `${runtimeMessages[lang].offlineTooLong(minutes)}: ${error}`;
  }
  await clock.sleep(waitMs, signal);
  return undefined;
}
