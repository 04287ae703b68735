import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resetTime } from "../../src/resilience/reset-time.ts";

const at = (iso: string): number => Date.parse(iso);
const NOW = at("2026-12-01T10:20:30Z");
const HOUR_MS = 3_600_000;
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Shanghai",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
];

function read(text: string, timeZone = "Europe/Berlin", nowMs = NOW): string | undefined {
  const ms = resetTime(text, { nowMs, timeZone });
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

describe("resetTime", () => {
  test.each([
    ["You've hit your session limit · resets 3pm", "2026-12-01T14:00:00.000Z"],
    ["You've hit your session limit · resets 3pm (America/New_York)", "2026-12-01T20:00:00.000Z"],
    ["You've hit your session limit · resets 11:30am (Europe/Berlin)", "2026-12-01T10:30:00.000Z"],
    ["You've hit your session limit ∙ resets 3:30\u202fpm (UTC)", "2026-12-01T15:30:00.000Z"],
    ["You've hit your weekly limit · resets Dec 3, 9am", "2026-12-03T08:00:00.000Z"],
    ["You've hit your weekly limit · resets Dec 3 at 9:15am (Asia/Shanghai)", "2026-12-03T01:15:00.000Z"],
    ["You've hit your weekly limit · resets Jan 3, 2027, 9am (UTC)", "2027-01-03T09:00:00.000Z"],
    ["You've hit your weekly limit · resets Jan 3, 9am (UTC)", "2027-01-03T09:00:00.000Z"],
    ["spend limit reached · resets Dec 2", "2026-12-02T00:00:00.000Z"],
    ["You've hit your Opus limit. It resets 15:00.", "2026-12-01T14:00:00.000Z"],
    ["Claude AI usage limit reached|1796137200", "2026-12-01T15:00:00.000Z"],
    ["Claude AI usage limit reached|1796137200000", "2026-12-01T15:00:00.000Z"],
    [
      'API Error: 400 {"message":"You have reached your specified API usage limits. You will regain access on 2026-12-02 at 00:00 UTC."}',
      "2026-12-02T00:00:00.000Z",
    ],
    ["limit reached, resets at 2026-12-01T17:00:00Z", "2026-12-01T17:00:00.000Z"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  test("midnight and noon are where the twelve-hour clock has them", () => {
    expect(read("resets 12am (UTC)")).toBe("2026-12-02T00:00:00.000Z");
    expect(read("resets 12pm (UTC)")).toBe("2026-12-01T12:00:00.000Z");
  });

  test("what has just passed is not taken for tomorrow's", () => {
    expect(read("resets 11:16am")).toBe("2026-12-01T10:16:00.000Z");
    expect(read("resets 9am (UTC)")).toBe("2026-12-02T09:00:00.000Z");
    expect(read("resets Dec 1 (UTC)")).toBe("2026-12-01T00:00:00.000Z");
    expect(read("resets 11:59pm (UTC)", "UTC", at("2026-12-02T00:00:10Z"))).toBe("2026-12-01T23:59:00.000Z");
  });

  test("a zone that nobody knows is no zone", () => {
    expect(read("resets 3pm (Middle/Earth)")).toBe("2026-12-01T14:00:00.000Z");
  });

  test.each([
    "",
    "You've hit your monthly spend limit.",
    "Credit balance is too low",
    "Claude AI usage limit reached|soon",
    "resets soon",
    "resets 3",
    "resets 25:00",
    "resets 13pm",
    "resets 3:75pm",
    "resets Dec 32",
    "the counter resets to 0",
    "presets 3pm",
    "429 too many requests",
  ])("no time in: %s", (text) => expect(read(text)).toBeUndefined());

  test("reads back what the CLI writes, to the minute, in every zone and on every day of the year", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2031-01-01T00:00:00Z") }),
        // Almost a day ahead, a time alone is also one that has just passed.
        fc.oneof(
          fc.integer({ min: 60_000, max: 22 * HOUR_MS }),
          fc.integer({ min: 25 * HOUR_MS, max: 744 * HOUR_MS }),
        ),
        fc.constantFrom(...ZONES),
        fc.boolean(),
        (nowMs, aheadMs, zone, isNamed) => {
          const reset = nowMs + aheadMs;
          const text = `You've hit your session limit · resets ${written(reset, { nowMs, zone, isNamed })}`;
          const ms = resetTime(text, { nowMs, timeZone: zone }) ?? Number.NaN;
          const minute = Math.floor(reset / 60_000) * 60_000;
          // A wall clock that shows the same twice in autumn: the later one is taken.
          expect([0, 1_800_000, 3_600_000]).toContain(ms - minute);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("whatever the text, the answer is a moment or nothing", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("resets ", "resets Dec ", "limit reached|", ""),
        (text, before) => {
          const ms = resetTime(before + text, { nowMs: NOW, timeZone: "UTC" });
          expect(ms === undefined || Number.isFinite(ms)).toBe(true);
        },
      ),
    );
  });
});

/** As CLI 2.1.332 writes it: within a day the time alone, later the date too, with the year when it is another. */
function written(epochMs: number, how: { nowMs: number; zone: string; isNamed: boolean }): string {
  const { nowMs, zone, isNamed } = how;
  const date = new Date(Math.floor(epochMs / 1000) * 1000);
  const of = (options: Intl.DateTimeFormatOptions, ms: Date | number = date): string =>
    new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }).format(ms);
  const isFull = of({ minute: "numeric" }) === "0";
  const time: Intl.DateTimeFormatOptions = {
    hour: "numeric",
    minute: isFull ? undefined : "2-digit",
    hour12: true,
  };
  const isFar = epochMs - nowMs > 86_400_000;
  const isOtherYear = of({ year: "numeric" }) !== of({ year: "numeric" }, nowMs);
  const day: Intl.DateTimeFormatOptions = {
    month: "short",
    day: "numeric",
    year: isOtherYear ? "numeric" : undefined,
  };
  const text = of(isFar ? { ...day, ...time } : time);
  const lower = text.replace(/[ \u202f]([AP]M)/i, (_, half: string) => half.toLowerCase());
  return isNamed ? `${lower} (${zone})` : lower;
}
