import type { Brief } from "../documents/brief.ts";
import type { Goal } from "../documents/goal.ts";
import type { Verdict } from "../documents/verdict.ts";
import type { EventSink } from "../events/event.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Lineage } from "./lineage.ts";

/** The frozen brief. */
export const BRIEF_KEY = "_brief";
/** Names of the sections that a rejected brief lacks. */
export const MISSING_KEY = "_brief_missing";
/** The frozen goal. */
export const GOAL_KEY = "_goal";
/** The last verdict. */
export const VERDICT_KEY = "_verdict";
/** How many rounds were judged. */
export const ROUND_KEY = "_goal_rounds";

/**
 * What flows between the steps of a workflow: each step's outcome under its name, and private keys beginning
 * with `_`, which never collide with step names.
 */
export interface Context {
  _runtime?: Runtime;
  _on_event?: EventSink;
  _signal?: AbortSignal | undefined;
  _sessions?: Record<string, string>;
  _results?: Record<string, StepResult>;
  _lineage?: Lineage;
  /** How often this conversation was woken; 0 at its first run. */
  _woke?: number;
  /** What a gate said when it stopped the workflow. */
  _aborted?: string;
  /** Name of the step that ended the workflow early. */
  _failed_at?: string;
  /** What the coordinator is told of the human's decision about the last verdict, when there was one. */
  _decision?: string;
  [BRIEF_KEY]?: Brief;
  [MISSING_KEY]?: readonly string[];
  [GOAL_KEY]?: Goal;
  [VERDICT_KEY]?: Verdict;
  [ROUND_KEY]?: number;
  [key: string]: unknown;
}

/** The text that a step left under `key`; empty when there is none. */
export function contextText(context: Context, key: string): string {
  const value = context[key];
  return typeof value === "string" ? value : "";
}

/** A text that may depend on what earlier steps left. */
export function textOf(text: string | ((context: Context) => string), context: Context): string {
  return typeof text === "string" ? text : text(context);
}
