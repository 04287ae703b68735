/** `StepResult.error` of a step that a human broke off for good. */
export const INTERRUPTED = "interrupted-by-human";

/** `StepResult.error` while a full session writes its handoff; never the end of a finished step. */
export const HANDOFF_DUE = "context-full-handoff";

/** `StepResult.error` of a step that was in flight when a signal ended flower. */
export const KILLED = "killed-by-signal";
