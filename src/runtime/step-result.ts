/** The complete books of one finished step: one row of the manifest. */
export interface StepResult {
  readonly step: string;
  /** Always the last successor: after a handoff the new session, after a fork the branch. */
  readonly sessionId: string | null;
  readonly ok: boolean;
  /** US dollars, subagents included, over all attempts and handoffs. */
  readonly costUsd: number;
  readonly numTurns: number;
  /** Prose of the main thread only. */
  readonly text: string;
  /**
   * The last reply alone. Documents are read from it: a draft or a thought aloud on the way must not pass for the
   * answer. Not in the manifest, where `text` holds it.
   */
  readonly closing: string;
  readonly error: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Tries after failures, the first included; interrupts and handoffs are not attempts. */
  readonly attempts: number;
  /** API errors that happened on the way, also when the step succeeded in the end. */
  readonly errors: readonly string[];
  /** A failure was survived by resuming the same session. */
  readonly resumed: boolean;
  /** Sessions that handed over to a successor, oldest first. */
  readonly retired: readonly string[];
  /** Tokens in the main thread's context at its last reply. */
  readonly context: number;
  /** Seconds from start to end. */
  readonly durationS: number;
}

/** The same while it is being written. */
export type StepDraft = { -readonly [K in keyof StepResult]: StepResult[K] };

export function newDraft(step: string, startedAt: number): StepDraft {
  return {
    step,
    sessionId: null,
    ok: false,
    costUsd: 0,
    numTurns: 0,
    text: "",
    closing: "",
    error: null,
    startedAt,
    endedAt: startedAt,
    attempts: 1,
    errors: [],
    resumed: false,
    retired: [],
    context: 0,
    durationS: 0,
  };
}

/** The finished result; the draft must not be touched afterwards. */
export function finish(draft: StepDraft, endedAt: number): StepResult {
  return Object.freeze({ ...draft, endedAt, durationS: (endedAt - draft.startedAt) / 1000 });
}
