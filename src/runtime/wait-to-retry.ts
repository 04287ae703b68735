import { createEvent, type EventSink } from "../events/event.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { classify } from "../resilience/classify.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * Waits until a failed attempt may be made again: for the network first, then the back-off. Returns undefined
 * when it may, else why not: out of attempts, not worth it, or offline for too long.
 *
 * Rejects only when the signal aborts.
 */
export async function waitToRetry(
  parts: RuntimeParts,
  failed: { attempt: number; error: string; onEvent: EventSink; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const { resilience, env, clock, lang } = parts;
  const { attempt, error, onEvent, signal } = failed;
  const isWorthIt =
    resilience.enabled && attempt < resilience.maxAttempts && resilience.shouldRetry(classify(error));
  if (!isWorthIt) return error;
  const retry = { attempt, max_attempts: resilience.maxAttempts, error };
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
