/**
 * The one error class of the project.
 *
 * Expected endings (a failed step, a verdict) are values; a `FlowerError` is for what a caller cannot go on
 * from. The message says what happened and to what, the hint says what to do next.
 */
export class FlowerError extends Error {
  override readonly name = "FlowerError";
  /** Stable, machine-readable: `<folder>/<what>`, for example `store/schema-too-new`. */
  readonly code: string;
  /** What the reader can do now; one sentence, or absent when there is nothing to do. */
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/**
 * The hint of a `FlowerError`, also of one that another copy of this package has thrown: a workflow that `flower run`
 * loads brings its own. Undefined for anything else.
 */
export function hintOf(thrown: unknown): string | undefined {
  const isOurs = thrown instanceof Error && thrown.name === "FlowerError";
  return isOurs && "hint" in thrown && typeof thrown.hint === "string" ? thrown.hint : undefined;
}

/** The text of anything that was thrown; never throws itself. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return String(thrown);
}

/** The `code` of a Node system error (`ENOENT`, …), or undefined for anything else. */
export function errnoOf(thrown: unknown): string | undefined {
  if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") return thrown.code;
  return undefined;
}
