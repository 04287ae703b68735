import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { Resilience, type ResilienceOptions } from "../../src/resilience/resilience.ts";

/** A clock on which sleeping takes no time. */
function quickClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = 1_000;
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

/** A network that answers the probes in turn, and the last answer for ever. */
function network(...answers: readonly boolean[]) {
  const probed: string[] = [];
  const probe = async (host: string, port: number): Promise<boolean> => {
    probed.push(`${host}:${port}`);
    return answers[Math.min(probed.length, answers.length) - 1] ?? false;
  };
  return { probe, probed };
}

function waiting(answers: readonly boolean[], options: ResilienceOptions = {}) {
  const clock = quickClock();
  const told: [string, string][] = [];
  const { probe, probed } = network(...answers);
  const resilience = new Resilience({ clock, probe, ...options });
  const wait = (env: Record<string, string> = {}, signal?: AbortSignal) =>
    resilience.waitOnline({ env, signal, notify: (phase, text) => told.push([phase, text]) });
  return { clock, told, probed, wait };
}

describe("the policy", () => {
  test("has these defaults", () => {
    expect(new Resilience()).toMatchObject({
      enabled: true,
      maxAttempts: 6,
      baseDelayMs: 4_000,
      maxDelayMs: 120_000,
      probeTimeoutMs: 5_000,
      probeIntervalMs: 15_000,
      maxOfflineWaitMs: 3_600_000,
      maxResetWaitMs: 86_400_000,
      retryUnknown: true,
      resumePrompt: expect.stringContaining("Do not start over"),
    });
  });

  test("takes single fields, undefined meaning the default", () => {
    const { maxAttempts, baseDelayMs, resumePrompt } = new Resilience({
      maxAttempts: 2,
      baseDelayMs: undefined as unknown as number,
      resumePrompt: "go on",
    });
    expect([maxAttempts, baseDelayMs, resumePrompt]).toEqual([2, 4_000, "go on"]);
  });

  test.each([
    { maxAttempts: 0 },
    { baseDelayMs: -1 },
    { probeIntervalMs: 0 },
    { maxOfflineWaitMs: Number.NaN },
    { maxResetWaitMs: -1 },
  ])("refuses %j", (options) => {
    expect(() => new Resilience(options)).toThrow(expect.objectContaining({ code: "resilience/bad-policy" }));
  });

  test("the resume prompt exists in both languages and names no error", () => {
    for (const lang of ["zh", "en"] as const) {
      expect(new Resilience({ lang }).resumePrompt).not.toMatch(/error|network|api|\d{3}|网络|报错/i);
    }
    expect(new Resilience({ lang: "zh" }).resumePrompt).toContain("不要从头再来");
  });
});

describe("delayFor", () => {
  test("doubles from the base to the maximum", () => {
    const resilience = new Resilience({ random: () => 0.5 });
    expect([1, 2, 3, 4, 5, 6, 7, 60].map((n) => resilience.delayFor(n))).toEqual([
      4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000,
    ]);
  });

  test("stays within a quarter of that, whatever the dice say", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, dice) => {
          const delay = new Resilience({ random: () => dice }).delayFor(attempt);
          const middle = Math.min(4_000 * 2 ** (attempt - 1), 120_000);
          expect(delay).toBeGreaterThanOrEqual(middle * 0.75);
          expect(delay).toBeLessThanOrEqual(middle * 1.25);
        },
      ),
    );
  });
});

describe("shouldRetry", () => {
  test.each([
    [{}, { fatal: false, transient: true, unknown: true }],
    [{ retryUnknown: false }, { fatal: false, transient: true, unknown: false }],
    [{ enabled: false }, { fatal: false, transient: false, unknown: false }],
  ])("with %j", (options, expected) => {
    const resilience = new Resilience(options);
    for (const kind of ["fatal", "transient", "unknown"] as const) {
      expect(resilience.shouldRetry(kind)).toBe(expected[kind]);
    }
  });
});

describe("attemptsFor", () => {
  const tooLong =
    "API Error: Claude's response exceeded the 32000 output token maximum. To configure this behavior, …";
  test.each([
    ["API Error: 529 Overloaded", 6],
    ["something odd happened", 6],
    ["Invalid API key", 1],
    [tooLong, 2],
    ["You've hit your session limit", 1],
    ["You've hit your session limit · resets 10:20am (UTC)", 6],
  ])("%s: %d", (error, attempts) => {
    const clock = { ...quickClock(), now: () => Date.parse("2026-12-01T10:20:30Z") };
    expect(new Resilience({ clock }).attemptsFor(error)).toBe(attempts);
  });

  test("never more than the policy allows", () => {
    expect(new Resilience({ maxAttempts: 1 }).attemptsFor(tooLong)).toBe(1);
    expect(new Resilience({ retryUnknown: false }).attemptsFor(tooLong)).toBe(1);
    expect(new Resilience({ enabled: false }).attemptsFor("529 Overloaded")).toBe(1);
  });
});

describe("limitOf", () => {
  const now = Date.parse("2026-12-01T10:20:30Z");
  const clock = { ...quickClock(), now: () => now };
  const policy = (options: ResilienceOptions = {}) =>
    new Resilience({ clock, random: () => 0.5, timeZone: "Europe/Berlin", ...options });
  const error = "You've hit your session limit · resets 3pm (UTC)";
  const resetMs = Date.parse("2026-12-01T15:00:00Z");

  test("waits a minute longer than the words say, and tells the time of this place", () => {
    expect(policy().limitOf(error)).toEqual({
      resetMs,
      retryAtMs: resetMs + 60_000 + 4_000,
      text: `${error}: waiting until 16:00, when the limit is lifted`,
    });
    expect(policy({ lang: "zh" }).limitOf(error)?.text).toBe(`${error}:额度 16:00 恢复,等到那时再继续`);
  });

  test("believes a time that is known to the second", () => {
    expect(policy().limitOf("429 rate_limit_error", resetMs)).toMatchObject({
      resetMs,
      retryAtMs: resetMs + 4_000,
    });
  });

  test("does not wait for one that is lifted after more than a day", () => {
    const weekly = "You've hit your weekly limit · resets Dec 3, 9am (UTC)";
    expect(policy().limitOf(weekly)).toMatchObject({
      retryAtMs: undefined,
      text: `${weekly}: the limit is lifted at 2026-12-03 10:00, which is further away than flower waits (at most 24 h)`,
    });
    expect(policy({ maxResetWaitMs: 72 * 3_600_000 }).limitOf(weekly)?.retryAtMs).toBeDefined();
    expect(policy({ maxResetWaitMs: 0 }).limitOf(error)?.retryAtMs).toBeUndefined();
  });

  test.each([
    ["You've hit your session limit", {}],
    ["You've hit your session limit · resets 10:20am (UTC)", {}],
    [error, { enabled: false }],
  ])("%s, with %j: there is none", (text, options) => {
    expect(policy(options).limitOf(text)).toBeUndefined();
  });
});

describe("waitOnline", () => {
  test("is true at once, and says nothing, when the endpoint is there", async () => {
    const { wait, told, probed, clock } = waiting([true]);
    expect(await wait({ ANTHROPIC_BASE_URL: "http://gateway.example:81" })).toBe(true);
    expect({ told, probed, slept: clock.slept }).toEqual({
      told: [],
      probed: ["gateway.example:81"],
      slept: [],
    });
  });

  test("tells once that the endpoint is away and once that it is back", async () => {
    const { wait, told, clock } = waiting([false, false, false, true]);
    expect(await wait()).toBe(true);
    expect(told).toEqual([
      ["lost", "api.anthropic.com:443 cannot be reached, waiting for it (at most 60 min)"],
      ["online", "api.anthropic.com:443 is back, going on"],
    ]);
    expect(clock.slept).toEqual([15_000, 15_000, 15_000]);
  });

  test("tells it in the directory's language", async () => {
    const { wait, told } = waiting([false, true], { lang: "zh", maxOfflineWaitMs: 30_000 });
    await wait({ ANTHROPIC_BASE_URL: "http://[2001:db8::1]:81" });
    expect(told).toEqual([
      ["lost", "[2001:db8::1]:81 不可达,等待恢复(最多 30 秒)"],
      ["online", "[2001:db8::1]:81 恢复,继续"],
    ]);
  });

  test("gives up after maxOfflineWaitMs, with one last look at the very end", async () => {
    const { wait, told, clock, probed } = waiting([false], { maxOfflineWaitMs: 40_000 });
    expect(await wait()).toBe(false);
    expect(clock.slept).toEqual([15_000, 15_000, 10_000]);
    expect(probed).toHaveLength(4);
    expect(told.map(([phase]) => phase)).toEqual(["lost"]);
  });

  test("with no time to wait looks once", async () => {
    const { wait, clock, probed } = waiting([false], { maxOfflineWaitMs: 0 });
    expect(await wait()).toBe(false);
    expect([clock.slept.length, probed.length]).toEqual([0, 1]);
  });

  test("may wait without limit", async () => {
    const { wait, told } = waiting([...Array<boolean>(5_000).fill(false), true], {
      maxOfflineWaitMs: Infinity,
    });
    expect(await wait()).toBe(true);
    expect(told[0]?.[1]).toContain("without limit");
  });

  test("rejects with the signal's reason", async () => {
    const reason = new Error("enough");
    const { wait } = waiting([false]);
    await expect(wait({}, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const resilience = new Resilience({
      clock: quickClock(),
      probe: async () => false,
      maxOfflineWaitMs: Infinity,
    });
    const notify = () => controller.abort(reason);
    await expect(resilience.waitOnline({ env: {}, signal: controller.signal, notify })).rejects.toBe(reason);
  });
});
