import { type Clock, sleepUntil } from "../base/clock.ts";
import type { Env } from "../config/env.ts";
import type { Lang } from "../lang/lang.ts";
import { gatewayMessages } from "../lang/messages/gateway.ts";
import type { Resilience, UsageLimit } from "../resilience/resilience.ts";
import type { Answer } from "./attempt.ts";
import type { Trouble } from "./trouble.ts";

/** What the human is told about a request that waits. */
export interface HoldNotice {
  /**
   * `lost`: the endpoint cannot be reached, and the request waits until it can. `waiting`: a pause before the next
   * attempt. `online`: an attempt went through. `gave_up`: the client was told the last error.
   */
  readonly phase: "lost" | "waiting" | "online" | "gave_up";
  /** Of the last attempt that failed: "529 overloaded_error: Overloaded", "ECONNREFUSED host:port". */
  readonly error: string;
  /** Attempts that failed so far, from 1. */
  readonly attempt: number;
  /** When the first of them failed; milliseconds since the epoch. */
  readonly sinceMs: number;
  /** How long this pause takes; null when nobody knows, or when there is none. */
  readonly waitMs: number | null;
  /** The subagent that asks; null for the main thread. */
  readonly agentId: string | null;
  /** All of it in one line, in the language of the run. */
  readonly text: string;
}

/** A row of failures: since when, how many, and the last of them. */
export interface Outage {
  readonly sinceMs: number;
  readonly attempt: number;
  readonly error: string;
  /** From when on `maxOfflineWaitMs` counts: the first failure, or the end of a usage limit that came after it. */
  readonly countsFromMs: number;
}

/**
 * Outages whose request was dropped because its client gave it up. The CLI gives up a silent request after some
 * minutes and sends it again; without this memory the wait would begin anew each time and never end.
 */
export interface OutageMemory {
  /** The outage of this agent, when its last request was dropped a moment ago. */
  take(agentId: string | null, nowMs: number): Outage | undefined;
  keep(agentId: string | null, outage: Outage, nowMs: number): void;
}

/** The longest pause between two of the CLI's own retries is about 40 s (CLI 2.1.332). */
const REMEMBERED_MS = 120_000;

export function createOutageMemory(): OutageMemory {
  const dropped = new Map<string | null, { readonly outage: Outage; readonly atMs: number }>();
  return {
    take: (agentId, nowMs) => {
      const found = dropped.get(agentId);
      dropped.delete(agentId);
      return found !== undefined && nowMs - found.atMs <= REMEMBERED_MS ? found.outage : undefined;
    },
    keep: (agentId, outage, nowMs) => {
      dropped.set(agentId, { outage, atMs: nowMs });
    },
  };
}

export interface HoldOptions {
  readonly resilience: Resilience;
  readonly env: Env;
  readonly clock: Clock;
  readonly lang: Lang;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  readonly agentId: string | null;
  readonly memory: OutageMemory;
  /** Contract: must not throw. */
  readonly onHold: ((notice: HoldNotice) => void) | undefined;
}

/**
 * Sends until an answer is worth relaying, with the pauses of the policy in between, for at most
 * `maxOfflineWaitMs` after the first failure; then the last trouble is the answer. A trouble that cannot pass, and
 * a server that asks for a longer wait than is left, are answered at once. The end of a usage limit is waited for
 * beside that, as far as `maxResetWaitMs` allows.
 *
 * Contract: silent while it holds. Rejects with the signal's reason when the client has gone, and then sends no
 * more.
 */
export async function hold(
  send: () => Promise<Answer | Trouble>,
  options: HoldOptions,
): Promise<Answer | Trouble> {
  const { resilience, clock, signal, agentId, memory } = options;
  let outage: Outage | undefined = memory.take(agentId, clock.now());
  try {
    for (;;) {
      const result = await send();
      if (result.kind === "answer") {
        if (outage !== undefined) teller(options, outage)("online");
        return result;
      }
      if (!resilience.enabled) return result;
      outage = {
        sinceMs: outage?.sinceMs ?? clock.now(),
        countsFromMs: outage?.countsFromMs ?? clock.now(),
        attempt: (outage?.attempt ?? 0) + 1,
        error: result.error,
      };
      const limit = limitOf(result, outage, options);
      if (limit?.retryAtMs !== undefined) {
        teller(options, outage)("waiting", { waitMs: limit.retryAtMs - clock.now(), text: limit.text });
        await sleepUntil(clock, limit.retryAtMs, signal);
        outage = { ...outage, countsFromMs: clock.now() };
        continue;
      }
      if (limit !== undefined) {
        teller(options, outage)("gave_up", { text: limit.text });
        return result;
      }
      if (await pause(result, outage, options)) continue;
      teller(options, outage)("gave_up");
      return result;
    }
  } catch (thrown) {
    if (signal.aborted && outage !== undefined) memory.keep(agentId, outage, clock.now());
    throw thrown;
  }
}

/**
 * The usage limit that a trouble speaks of: in a header, in its words, or by asking for more time than there is for an
 * outage. One that is put off again and again is an outage in the end.
 */
function limitOf(
  { error, answer, resetMs, retryAfterMs = 0 }: Trouble,
  { sinceMs, countsFromMs }: Outage,
  { resilience, clock }: HoldOptions,
): UsageLimit | undefined {
  const { maxOfflineWaitMs, maxResetWaitMs } = resilience;
  const now = clock.now();
  if (answer.status !== 429 || now - sinceMs > maxResetWaitMs + maxOfflineWaitMs) return undefined;
  const isLong = now + retryAfterMs > countsFromMs + maxOfflineWaitMs;
  return resilience.limitOf(error, resetMs ?? (isLong ? now + retryAfterMs : undefined));
}

/** Waits until the next attempt may be made; false when there is to be none. */
async function pause(trouble: Trouble, outage: Outage, options: HoldOptions): Promise<boolean> {
  const { resilience, clock, signal } = options;
  const tell = teller(options, outage);
  const deadlineMs = outage.countsFromMs + resilience.maxOfflineWaitMs;
  const asked = trouble.retryAfterMs ?? 0;
  if (!trouble.canPass || clock.now() >= deadlineMs || clock.now() + asked > deadlineMs) return false;
  if (!trouble.wasReached) {
    const onLost = (): void => tell("lost");
    if (!(await waitOnlineUntil(deadlineMs, onLost, options))) return false;
  }
  // Several agents that were refused at once are spread by the chance in it, and a server that asks for one second
  // for the tenth time is given more.
  const waitMs = Math.max(asked, resilience.delayFor(outage.attempt));
  const untilMs = Math.min(clock.now() + waitMs, deadlineMs);
  tell("waiting", { waitMs: untilMs - clock.now() });
  await sleepUntil(clock, untilMs, signal);
  return true;
}

/** As `waitOnline`, but not beyond the deadline. */
async function waitOnlineUntil(
  deadlineMs: number,
  onLost: () => void,
  options: HoldOptions,
): Promise<boolean> {
  const { resilience, env, clock, signal } = options;
  const timeIsUp = new AbortController();
  const done = new AbortController();
  sleepUntil(clock, deadlineMs, done.signal).then(
    () => timeIsUp.abort(),
    () => undefined,
  );
  try {
    return await resilience.waitOnline({
      env,
      signal: AbortSignal.any([signal, timeIsUp.signal]),
      notify: (phase) => {
        if (phase === "lost") onLost();
      },
    });
  } catch (thrown) {
    signal.throwIfAborted();
    if (timeIsUp.signal.aborted) return false;
    throw thrown;
  } finally {
    done.abort();
  }
}

type Tell = (phase: HoldNotice["phase"], more?: { readonly waitMs?: number; readonly text?: string }) => void;

function teller({ onHold, agentId, clock, lang, resilience }: HoldOptions, outage: Outage): Tell {
  const texts = gatewayMessages[lang];
  const { attempt, sinceMs, countsFromMs, error } = outage;
  const textOf = (phase: HoldNotice["phase"], waitMs: number): string => {
    const heldMs = clock.now() - sinceMs;
    switch (phase) {
      case "lost":
        return texts.lost(error, countsFromMs + resilience.maxOfflineWaitMs - clock.now());
      case "waiting":
        return texts.waiting(error, waitMs, attempt + 1);
      case "online":
        return texts.online(heldMs);
      case "gave_up":
        return heldMs === 0 ? texts.notHeld(error) : texts.gaveUp(error, heldMs);
    }
  };
  return (phase, { waitMs, text } = {}) => {
    const told = text ?? textOf(phase, waitMs ?? 0);
    onHold?.({ phase, error, attempt, sinceMs, waitMs: waitMs ?? null, agentId, text: told });
  };
}
