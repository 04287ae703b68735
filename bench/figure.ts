/** One measured number. A miss is reported, never an error: machines differ, and a run must end to be compared. */
export interface Figure {
  /** What was measured, kebab-case; unique over all benchmarks. */
  readonly bench: string;
  readonly value: number;
  /** `ratio`, `ms`, `us`, `bytes`, …; ratios measured in one run are the ones to trust. */
  readonly unit: string;
  /** A comparison with a number, `<=1.15` or `>=100`; empty when the figure is only watched. */
  readonly target: string;
  /** Whether the target is met; true when there is none. */
  readonly ok: boolean;
}

/** What a `bench/*.bench.ts` file exports by default. */
export interface Bench {
  readonly name: string;
  /** Contract: owns what it makes (servers, directories) and removes it, also when it throws. */
  readonly run: () => Promise<readonly Figure[]>;
}

/** Makes a figure and judges it. Throws on a target that is no comparison: a typo must not pass for a success. */
export function figure(measured: Omit<Figure, "ok">): Figure {
  return { ...measured, ok: meets(measured.value, measured.target) };
}

/** The middle one, so that a disturbed measurement does not count; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function meets(value: number, target: string): boolean {
  if (target === "") return true;
  const [, comparison = "", limit] = /^(<=|>=|<|>)\s*(\d+(?:\.\d+)?)$/.exec(target) ?? [];
  const bound = Number(limit);
  switch (comparison) {
    case "<=":
      return value <= bound;
    case ">=":
      return value >= bound;
    case "<":
      return value < bound;
    case ">":
      return value > bound;
    default:
      throw new Error(`"${target}" is no target: write a comparison like <=1.15`);
  }
}

/** The figures for people: aligned columns under a heading. */
export function formatTable(figures: readonly Figure[]): string {
  const heading = ["figure", "value", "unit", "target", ""];
  const rows = figures.map((f) => [f.bench, formatValue(f.value), f.unit, f.target, f.ok ? "ok" : "MISSED"]);
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [heading, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n");
}

/** The figures for programs: one JSON object a line. */
export function formatJsonLines(figures: readonly Figure[]): string {
  return figures
    .map(({ bench, value, unit, target, ok }) => JSON.stringify({ bench, value, unit, target, ok }))
    .join("\n");
}

/** Four significant digits: more would pretend to a precision that no benchmark here has. */
function formatValue(value: number): string {
  return String(Number(value.toPrecision(4)));
}
