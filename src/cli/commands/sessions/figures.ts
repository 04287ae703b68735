/** `812 B`, `3.4 KB`, `12.0 MB`: in steps of 1024. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"] as const;
  let size = bytes / 1024;
  let unit = 0;
  // 1023.95 and more would be shown as 1024.0 of the smaller unit.
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(1)} ${units[unit] ?? ""}`;
}

/** `71.4K` tokens; `-` when nobody knows. */
export function tokensText(tokens: number): string {
  return tokens === 0 ? "-" : `${(tokens / 1000).toFixed(1)}K`;
}

/** `2026-03-01 14:05`, local time. */
export function timeText(epochMs: number): string {
  const t = new Date(epochMs);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}`;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of `12h`, `30d` or `2w`; undefined for anything else, and for no time at all. */
export function ageMs(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? 0);
  return ms > 0 && Number.isSafeInteger(ms) ? ms : undefined;
}
