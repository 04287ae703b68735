import { isRecord } from "./tool-call.ts";

/** Returns the text that stands for another one: itself, or a pointer to where it lies. */
export type ReplaceText = (text: string) => string;

/**
 * A tool's output with its texts replaced, in the shape it had: the CLI silently drops an output whose shape is not
 * the tool's own. Without a replacement the very same value comes back.
 *
 * Lists are never touched, at any depth: they may hold images. Known tools are narrowed to the fields that hold
 * their text (CLI 2.1.332); of any other tool every string below plain objects counts, and a bare string too.
 *
 * Contract: pure, given a pure `replace`; throws only what `replace` throws.
 */
export function spillOutput(tool: string, output: unknown, replace: ReplaceText): unknown {
  if (tool === "Bash") return spillBash(output, replace);
  if (tool === "Read") return spillRead(output, replace);
  return spillAny(output, replace);
}

/** `{stdout, stderr, isImage, …}`; an image's data stands in `stdout`. */
function spillBash(output: unknown, replace: ReplaceText): unknown {
  if (!isRecord(output) || output.isImage === true) return output;
  return replaceFields(output, ["stdout", "stderr"], replace);
}

/** `{type: "text", file: {content, …}}`; the other types hold images, pages and cells. */
function spillRead(output: unknown, replace: ReplaceText): unknown {
  if (!isRecord(output) || output.type !== "text" || !isRecord(output.file)) return output;
  const file = replaceFields(output.file, ["content"], replace);
  return file === output.file ? output : { ...output, file };
}

function replaceFields(
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  replace: ReplaceText,
): Readonly<Record<string, unknown>> {
  let changed = record;
  for (const field of fields) {
    const text = record[field];
    if (typeof text !== "string") continue;
    const replaced = replace(text);
    if (replaced !== text) changed = { ...changed, [field]: replaced };
  }
  return changed;
}

/** Content blocks that are data, not text. */
const BINARY_BLOCKS: ReadonlySet<unknown> = new Set(["image", "audio", "document", "pdf"]);

function spillAny(output: unknown, replace: ReplaceText): unknown {
  if (typeof output === "string") return replace(output);
  if (!isPlainObject(output) || BINARY_BLOCKS.has(output.type)) return output;
  let changed = false;
  const entries = Object.entries(output).map(([key, value]) => {
    const replaced = spillAny(value, replace);
    if (replaced !== value) changed = true;
    return [key, replaced] as const;
  });
  return changed ? Object.fromEntries(entries) : output;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
