/** What a time in words is relative to. */
export interface ResetContext {
  /** Milliseconds since the epoch at which the text was written, or a moment later. */
  readonly nowMs: number;
  /** IANA name of the zone of a time that names none. */
  readonly timeZone: string;
}

/**
 * When a limit that was hit is lifted, read from what the CLI or the API says about it: milliseconds since the epoch,
 * undefined when the text names no such time. A time that has just passed is given as it is: there is nothing to wait for.
 *
 * The forms, of CLI 2.1.332 unless noted: `… · resets 3pm (Europe/Berlin)`, `resets 3:30pm`, `resets Dec 3, 9am`,
 * `resets Jan 3, 2027, 9am`, `resets Dec 3` (a day of UTC); `… limit reached|1764600000` (older ones);
 * `You will regain access on 2026-01-01 at 00:00 UTC` (the API).
 */
export function resetTime(text: string, context: ResetContext): number | undefined {
  return epochOf(text) ?? isoOf(text) ?? wordsOf(text, context);
}

function epochOf(text: string): number | undefined {
  const [, digits] = /limit reached\|(\d{10}|\d{13})(?!\d)/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return digits.length === 13 ? Number(digits) : Number(digits) * 1000;
}

const RESETS = String.raw`\b(?:resets?|regain access)(?:\s+(?:on|at))?\s+`;
const ISO = new RegExp(
  `${RESETS}${String.raw`(\d{4}-\d\d-\d\d)(?:(?:T|\s+|\s+at\s+)(\d\d:\d\d(?::\d\d)?))?`}`,
  "i",
);

/** Of the API, and so of UTC whether it says so or not. */
function isoOf(text: string): number | undefined {
  const [, day, time = "00:00"] = ISO.exec(text) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DATE = `(?<month>${MONTHS.join("|")})[a-z]*\\.?\\s+(?<day>\\d{1,2})(?:,?\\s+(?<year>\\d{4}))?`;
const TIME = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))?\s*(?<half>[ap]m)?(?![\d:])`;
const ZONE = String.raw`(?:\s*\((?<zone>[A-Za-z][\w+/-]*)\))?`;
const IN_WORDS = [
  new RegExp(`${RESETS}${DATE},?(?:\\s+at)?\\s+${TIME}${ZONE}`, "i"),
  new RegExp(`${RESETS}${TIME}${ZONE}`, "i"),
  new RegExp(`${RESETS}${DATE}(?!\\d)${ZONE}`, "i"),
];

function wordsOf(text: string, { nowMs, timeZone }: ResetContext): number | undefined {
  const folded = text.replaceAll(/[\u00a0\u202f]/g, " ");
  const found = IN_WORDS.map((form) => form.exec(folded)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const time = timeOf(found);
  const zone = knownZone(found["zone"]) ?? (time === undefined ? "UTC" : timeZone);
  const month = MONTHS.indexOf(found["month"]?.slice(0, 3).toLowerCase() ?? "");
  if (month < 0) return time === undefined ? undefined : nextTime(time, { nowMs, timeZone: zone });
  const day = { month, day: Number(found["day"]), year: found["year"] };
  return nextDay(day, time ?? { hour: 0, minute: 0 }, { nowMs, timeZone: zone });
}

interface Time {
  readonly hour: number;
  readonly minute: number;
}

/** `3pm`, `3:30pm`, `15:00`; a lone number is no time. */
function timeOf(found: Readonly<Record<string, string | undefined>>): Time | undefined {
  const { hour, minute, half } = found;
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const [h, m] = [Number(hour), Number(minute ?? 0)];
  if (m > 59) return undefined;
  if (half === undefined) return h > 23 ? undefined : { hour: h, minute: m };
  if (h < 1 || h > 12) return undefined;
  return { hour: (h % 12) + (half.toLowerCase() === "pm" ? 12 : 0), minute: m };
}

/** A time this long past is the one that was meant: the text is read a moment after it was written. */
const JUST_PAST_MS = 300_000;
const DAY_MS = 86_400_000;

/** The occurrence of a time of day that has just passed, else the next one. */
function nextTime(time: Time, { nowMs, timeZone }: ResetContext): number | undefined {
  const today = wallClock(nowMs, timeZone);
  return [-1, 0, 1, 2]
    .map((days) => epochMs({ ...today, day: today.day + days, ...time }, timeZone))
    .find((ms) => ms >= nowMs - JUST_PAST_MS);
}

/** Without a year the next such day; one that was today is meant as it is. */
function nextDay(
  { month, day, year }: { month: number; day: number; year: string | undefined },
  time: Time,
  { nowMs, timeZone }: ResetContext,
): number | undefined {
  if (day < 1 || day > 31) return undefined;
  const thisYear = wallClock(nowMs, timeZone).year;
  const years = year === undefined ? [thisYear - 1, thisYear, thisYear + 1] : [Number(year)];
  const moments = years.map((one) => epochMs({ year: one, month, day, ...time }, timeZone));
  return year === undefined ? moments.find((ms) => ms >= nowMs - DAY_MS) : moments[0];
}

interface WallClock extends Time {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
}

function wallClock(epoch: number, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(epoch);
  const number = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [number("year"), number("month") - 1, number("day")];
  return { year, month, day, hour: number("hour"), minute: number("minute") };
}

/**
 * The moment at which the clocks of a zone show this. Of two such moments the later one, and of none (the hour that is
 * skipped in spring) one within the hour after: too late costs an hour at most, too early an attempt.
 */
function epochMs(wall: WallClock, timeZone: string): number {
  const asUtc = utcOf(wall);
  // No zone is further than a day from UTC, and none changes its offset twice in two days.
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => offsetMs(near, timeZone));
  const moments = offsets.map((offset) => asUtc - offset);
  const exact = moments.filter((moment) => utcOf(wallClock(moment, timeZone)) === asUtc);
  return Math.max(...(exact.length > 0 ? exact : moments));
}

function offsetMs(epoch: number, timeZone: string): number {
  return utcOf(wallClock(epoch, timeZone)) - Math.floor(epoch / 60_000) * 60_000;
}

function utcOf({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month, day, hour, minute);
}

function knownZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** `15:00` today, `2026-12-03 09:00` on another day. */
export function showTime(epoch: number, { nowMs, timeZone }: ResetContext): string {
  const [wall, today] = [wallClock(epoch, timeZone), wallClock(nowMs, timeZone)];
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = `${two(wall.hour)}:${two(wall.minute)}`;
  const isToday = utcOf({ ...wall, hour: 0, minute: 0 }) === utcOf({ ...today, hour: 0, minute: 0 });
  return isToday ? time : `${wall.year}-${two(wall.month + 1)}-${two(wall.day)} ${time}`;
}

/** The zone of this machine's clock. */
export function systemTimeZone(): string {
  return new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone;
}
