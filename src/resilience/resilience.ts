import { randomInt } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { FlowerError } from "../base/errors.ts";
import type { Env } from "../config/env.ts";
import type { Lang } from "../lang/lang.ts";
import { DEFAULT_RESUME_PROMPT, RESILIENCE_MESSAGES } from "../lang/messages/resilience.ts";
import { classify, type ErrorClass, isTooLongReply } from "./classify.ts";
import { probeTarget } from "./endpoint.ts";
import { type Probe, reachable } from "./reachable.ts";
import { resetTime, showTime, systemTimeZone } from "./reset-time.ts";

/** What to do when a step fails through no fault of its own. Milliseconds everywhere. */
export interface ResiliencePolicy {
  /** Default true; false means that the first failure is the last. */
  readonly enabled: boolean;
  /** Attempts altogether, the first included. Default 6. */
  readonly maxAttempts: number;
  /** Pause after the first failure; it doubles with each one. Default 4,000. */
  readonly baseDelayMs: number;
  /** Default 120,000. */
  readonly maxDelayMs: number;
  /** Default 5,000. */
  readonly probeTimeoutMs: number;
  /** Pause between two probes. Default 15,000. */
  readonly probeIntervalMs: number;
  /** How long to wait for the network before giving up. Default 3,600,000; Infinity is allowed. */
  readonly maxOfflineWaitMs: number;
  /**
   * How far away the end of a usage limit may be that is waited for, whatever `maxOfflineWaitMs` says: somebody who
   * walks away expects the run to go on when the limit is lifted. Default 86,400,000, a day; 0: none is waited for.
   */
  readonly maxResetWaitMs: number;
  /** Also try again after errors that `classify` does not know. Default true. */
  readonly retryUnknown: boolean;
  /**
   * What the interrupted session is told. Says nothing of the error: the model must know that it was interrupted
   * and goes on; which error it was belongs into the books, not into its context.
   */
  readonly resumePrompt: string;
}

export interface ResilienceOptions extends Partial<ResiliencePolicy> {
  /** Of the resume prompt and of what `waitOnline` tells. Default "en". */
  readonly lang?: Lang;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly probe?: Probe;
  /** IANA name; of times that name no zone, and of those that are told. Default: the system's. */
  readonly timeZone?: string;
}

/** A usage limit that was hit, and when it is lifted. Milliseconds since the epoch. */
export interface UsageLimit {
  readonly resetMs: number;
  /** When to try again: a little later. Undefined when that is further away than the policy waits. */
  readonly retryAtMs: number | undefined;
  /** For people: what happens now, in the language of the run. */
  readonly text: string;
}

export interface WaitOnlineOptions {
  /** Decides what is probed: `ANTHROPIC_BASE_URL`, or the proxy in front of it. */
  readonly env: Env;
  /** Told once when the network is found to be away and once when it is back. Must not throw. */
  readonly notify?: (phase: "lost" | "online", text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The policy with its clock, its dice and its probe: all of the waiting that a step ever does. */
export class Resilience implements ResiliencePolicy {
  readonly enabled: boolean;
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly probeTimeoutMs: number;
  readonly probeIntervalMs: number;
  readonly maxOfflineWaitMs: number;
  readonly maxResetWaitMs: number;
  readonly retryUnknown: boolean;
  readonly resumePrompt: string;
  readonly #lang: Lang;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #probe: Probe;
  readonly #givenZone: string | undefined;

  /** Throws `resilience/bad-policy` for a number that cannot be meant. */
  constructor(options: ResilienceOptions = {}) {
    this.#lang = options.lang ?? "en";
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? uniform;
    this.#probe = options.probe ?? reachable;
    this.#givenZone = options.timeZone;
    this.enabled = options.enabled ?? true;
    this.maxAttempts = this.#atLeast(1, "maxAttempts", options.maxAttempts ?? 6);
    this.baseDelayMs = this.#atLeast(0, "baseDelayMs", options.baseDelayMs ?? 4_000);
    this.maxDelayMs = this.#atLeast(0, "maxDelayMs", options.maxDelayMs ?? 120_000);
    this.probeTimeoutMs = this.#atLeast(1, "probeTimeoutMs", options.probeTimeoutMs ?? 5_000);
    this.probeIntervalMs = this.#atLeast(1, "probeIntervalMs", options.probeIntervalMs ?? 15_000);
    this.maxOfflineWaitMs = this.#atLeast(0, "maxOfflineWaitMs", options.maxOfflineWaitMs ?? 3_600_000);
    this.maxResetWaitMs = this.#atLeast(0, "maxResetWaitMs", options.maxResetWaitMs ?? 86_400_000);
    this.retryUnknown = options.retryUnknown ?? true;
    this.resumePrompt = options.resumePrompt ?? DEFAULT_RESUME_PROMPT[this.#lang];
  }

  /** Asked for only where a limit is spoken of: the calendar data takes ten milliseconds to load. */
  get #timeZone(): string {
    return this.#givenZone ?? systemTimeZone();
  }

  #atLeast(least: number, name: string, value: number): number {
    if (value >= least) return value;
    const { badPolicy, badPolicyHint } = RESILIENCE_MESSAGES[this.#lang];
    throw new FlowerError("resilience/bad-policy", badPolicy(name, value, least), { hint: badPolicyHint });
  }

  /**
   * The pause after failed attempt number `attempt` (from 1): doubling, capped, and a quarter more or less by chance
   * so that many flowers do not all knock the moment the network is back.
   */
  delayFor(attempt: number): number {
    const doubled = this.baseDelayMs * 2 ** (Math.max(1, attempt) - 1);
    return Math.min(doubled, this.maxDelayMs) * (0.75 + this.#random() * 0.5);
  }

  /** Whether a failure of this class deserves another attempt; how many there were is the caller's to count. */
  shouldRetry(kind: ErrorClass): boolean {
    return this.enabled && (kind === "transient" || (kind === "unknown" && this.retryUnknown));
  }

  /**
   * How many attempts, the first included, a step may take that fails with this error: one when waiting cannot mend it.
   * A limit that should have been lifted by now passes: its clock and ours may differ.
   */
  attemptsFor(error: string): number {
    const isLifted = resetTime(error, { nowMs: this.#clock.now(), timeZone: this.#timeZone }) !== undefined;
    if (!this.shouldRetry(isLifted ? "transient" : classify(error))) return 1;
    return isTooLongReply(error) ? Math.min(TOO_LONG_ATTEMPTS, this.maxAttempts) : this.maxAttempts;
  }

  /**
   * The usage limit that an error speaks of; undefined when it speaks of none, or of one that is lifted at an unknown
   * time or already. `resetMs` is that time where it is known better than from the words.
   */
  limitOf(error: string, resetMs?: number): UsageLimit | undefined {
    if (!this.enabled) return undefined;
    const nowMs = this.#clock.now();
    const known = resetMs ?? resetTime(error, { nowMs, timeZone: this.#timeZone });
    if (known === undefined || known <= nowMs) return undefined;
    const texts = RESILIENCE_MESSAGES[this.#lang];
    const when = showTime(known, { nowMs, timeZone: this.#timeZone });
    if (known - nowMs > this.maxResetWaitMs) {
      const text = texts.limitTooLong(error, when, this.maxResetWaitMs);
      return { resetMs: known, retryAtMs: undefined, text };
    }
    // Several agents that wait for the same moment are spread by the chance in the pause.
    const marginMs = (resetMs === undefined ? RESET_MARGIN_MS : 0) + this.delayFor(1);
    return { resetMs: known, retryAtMs: known + marginMs, text: texts.limited(error, when) };
  }

  /**
   * Waits until the endpoint can be reached: true at once when it can, false when it stayed away for
   * `maxOfflineWaitMs`. Rejects with the signal's reason when that aborts. Throws `resilience/bad-base-url`.
   */
  async waitOnline({ env, notify, signal }: WaitOnlineOptions): Promise<boolean> {
    const { host, port } = probeTarget(env);
    const texts = RESILIENCE_MESSAGES[this.#lang];
    const probeOptions = { timeoutMs: this.probeTimeoutMs, signal };
    const began = this.#clock.now();
    for (let told = false; ; told = true) {
      signal?.throwIfAborted();
      if (await this.#probe(host, port, probeOptions)) {
        if (told) notify?.("online", texts.online(authority(host, port)));
        return true;
      }
      if (!told) notify?.("lost", texts.lost(authority(host, port), this.maxOfflineWaitMs));
      const leftMs = began + this.maxOfflineWaitMs - this.#clock.now();
      if (leftMs <= 0) return false;
      await this.#clock.sleep(Math.min(this.probeIntervalMs, leftMs), signal);
    }
  }
}

/** The CLI has had it continued three times already, and paid for four replies of full length (HARNESS 6). */
const TOO_LONG_ATTEMPTS = 2;
/** The CLI's words leave the seconds out. */
const RESET_MARGIN_MS = 60_000;

/** 32 bits of randomness as a number in [0, 1). */
function uniform(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}

function authority(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
