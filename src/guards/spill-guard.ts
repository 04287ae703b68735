import { join } from "node:path";
import { FlowerError } from "../base/errors.ts";
import { firstCodePoints } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { guardMessages } from "../lang/messages/guards.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { WORKBENCH_DIRNAME } from "../workbench/workbench-paths.ts";
import { afterTool, type GuardOptions } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import { wholeBashOutput } from "./persisted-output.ts";
import { readsSpill } from "./reads-spill.ts";
import { writeSpill } from "./spill-file.ts";
import { spillOutput } from "./spill-output.ts";
import type { ToolCall } from "./tool-call.ts";
import { BULKY_TOOLS, toolName } from "./tools.ts";

/** Characters (code points); SPEC 9. */
export const SPILL_THRESHOLD_CHARS = 4000;

/** How much of a spilled text stays in the conversation, in characters (code points); SPEC 9. */
export const SPILL_HEAD_CHARS = 400;

export interface SpillOptions extends GuardOptions {
  /** A text of at least this many characters is spilled. Default 4000. */
  readonly threshold?: number | undefined;
  /** Tools whose results are looked at. Default Bash Read Grep Glob WebFetch WebSearch. */
  readonly tools?: readonly string[] | undefined;
  /** Leave subagents' results alone. Default false. */
  readonly mainOnly?: boolean | undefined;
}

/** The part of a workbench that spilling needs. */
export type SpillPlace = Pick<Workbench, "spill" | "workspace" | "show">;

/**
 * Keeps long tool results out of the conversation as they arrive: the text goes to a file, the model gets the
 * pointer to it and its beginning.
 *
 * Contract: nothing is lost. The file is on disk before the pointer is given out; when it cannot be written the
 * original output goes through untouched and `onError` is told. A failing tool (Bash with a non-zero exit) fires
 * another event whose output no hook can change (SDK 0.3.332): its output always goes through.
 *
 * Throws `guards/bad-threshold` unless `threshold` is a whole number above zero.
 */
export function spillGuard(workbench: SpillPlace, options: SpillOptions = {}): HookMatcher {
  const threshold = checkedThreshold(options.threshold ?? SPILL_THRESHOLD_CHARS);
  const tools = (options.tools ?? BULKY_TOOLS).map(toolName);
  const rules = { threshold, mainOnly: options.mainOnly ?? false, lang: options.lang ?? "en" };
  return afterTool(
    tools,
    (call, response) => spilledResponse(call, response, { workbench, ...rules }),
    options,
  );
}

interface SpillRules {
  readonly workbench: SpillPlace;
  readonly threshold: number;
  readonly mainOnly: boolean;
  readonly lang: Lang;
}

/** The output that stands for `response`, its long texts on disk; undefined when nothing is to be replaced. */
function spilledResponse(call: ToolCall, response: unknown, rules: SpillRules): unknown {
  const { workbench, threshold, lang } = rules;
  if (rules.mainOnly && !call.mainThread) return undefined;
  if (readsSpill(call, spillDirectories(workbench), workbench.workspace)) return undefined;
  const whole = call.tool === "Bash" ? wholeBashOutput(response) : response;
  const spilled = spillOutput(call.tool, whole, (text) => {
    // A text never has more code points than units, so that nearly all are let go without counting.
    if (text.length < threshold) return text;
    const chars = countCodePoints(text);
    if (chars < threshold) return text;
    return pointer(workbench.show(writeSpill(workbench.spill, text)), { text, chars, lang });
  });
  return spilled === whole ? undefined : spilled;
}

/** What stays in the conversation: one line that says where the text is, then its beginning. */
function pointer(
  path: string,
  { text, chars, lang }: { readonly text: string; readonly chars: number; readonly lang: Lang },
): string {
  return `${guardMessages[lang].spilled(chars, path)}\n${firstCodePoints(text, SPILL_HEAD_CHARS)}`;
}

/** Ours, and the one that the session store archives into when it trims: both hold what was once spilled. */
function spillDirectories(workbench: SpillPlace): readonly string[] {
  return [workbench.spill, join(workbench.workspace, WORKBENCH_DIRNAME, "spill")];
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _point of text) count += 1;
  return count;
}

function checkedThreshold(chars: number): number {
  if (Number.isInteger(chars) && chars > 0) return chars;
  throw new FlowerError(
    "guards/bad-threshold",
    `the spill threshold must be a whole number above 0, not ${chars}`,
    {
      hint: "Give a number of characters; to spill nothing, leave the guard out (spillThreshold: null).",
    },
  );
}
