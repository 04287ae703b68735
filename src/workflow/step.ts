import type { AgentSpec } from "../agent/spec.ts";
import type { Clock } from "../base/clock.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Context } from "./context.ts";

/** One step of a workflow: plain data. "Replace a field" is object spread. */
export interface Step {
  readonly name: string;
  readonly spec: AgentSpec;
  readonly prompt: string | ((context: Context) => string);
  /** Name of an earlier step whose session this one goes on in. */
  readonly resumeFrom?: string;
  /** Branch off from `resumeFrom`; the original stays as it is. */
  readonly fork?: boolean;
  /** Uuid of the message of `resumeFrom`'s session to go back to; what came after it is not part of the history then. */
  readonly resumeAt?: string;
  /** Further attempts after a rejected one. Default 0. */
  readonly retries?: number;
  /** Called exactly once per attempt, and never when the result is not ok. Throw `StepAbort` to stop at once. */
  readonly gate?: (result: StepResult, context: Context) => boolean | Promise<boolean>;
  /** Default "stop". */
  readonly onFail?: "stop" | "skip" | "continue";
  /** False skips the step. */
  readonly when?: (context: Context) => boolean | Promise<boolean>;
  /** What a rejected session is told when it is sent back; absent or empty: the attempt starts over. */
  readonly onReject?: (result: StepResult, context: Context) => string | Promise<string>;
  /**
   * Sentences of the human that this step's session is told. They are noted in the lineage as soon as that session
   * is known, so that a run that goes on does not tell them again (`Lineage.asks`).
   */
  readonly tells?: readonly string[];
  /** Instead of `prompt` when an earlier process's session is woken. */
  readonly resumePrompt?: string | ((context: Context) => string);
  /** What later steps see under this step's name. Default: the result's text. */
  readonly reduce?: (result: StepResult, context: Context) => string;
}

/** What the steps that end in a frozen document, `clarifyStep` and `goalStep`, may both be given. */
export interface DocumentStepOptions {
  /** Default: the step's name in the channel's language. */
  readonly name?: string;
  /** Instead of the role that is built from the other options. */
  readonly spec?: AgentSpec;
  /** Default "stop". */
  readonly onFail?: Step["onFail"];
  /** Further attempts when the document is not complete. Default 0. */
  readonly retries?: number;
  /** Names the copy of a document that is replaced. Default: the system's. */
  readonly clock?: Clock;
}

/** Thrown by a gate: stop now, another round will not help. */
export class StepAbort extends Error {
  override readonly name = "StepAbort";
}
