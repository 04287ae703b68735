import { deepFreeze } from "./deep-freeze.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptStep } from "./script-step.ts";

/**
 * How a call was answered: the kind of the step (for a delay: of the step behind it), `default` for what the CLI
 * asks for itself, `unexpected` for what no script has an answer to, `pending` while that is not decided.
 */
export type AnswerKind = Exclude<ScriptStep["kind"], "delay"> | "default" | "unexpected" | "pending";

/** Frozen: read `calls` again to see what became of a call. */
export interface ModelCall {
  readonly request: ModelRequest;
  readonly answered: AnswerKind;
  /** Why nothing was prepared for it; only on unexpected calls. */
  readonly reason: string | undefined;
  /** When it had arrived as a whole; milliseconds since the epoch. */
  readonly at: number;
  /** The client closed the connection before it had the whole answer. */
  readonly clientGone: boolean;
}

/** Something other than a call of the Messages API. */
export interface OtherRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** What was wrong with a message request; undefined for other paths. */
  readonly problem: string | undefined;
}

/** The calls in order of arrival. */
export interface CallLog {
  add(request: ModelRequest, at: number): void;
  change(index: number, change: Partial<Pick<ModelCall, "answered" | "reason" | "clientGone">>): void;
  addOther(request: OtherRequest): void;
  calls(): readonly ModelCall[];
  others(): readonly OtherRequest[];
}

export function createCallLog(): CallLog {
  const calls: ModelCall[] = [];
  const others: OtherRequest[] = [];
  return {
    add: (request, at) => {
      calls.push(deepFreeze({ request, answered: "pending", reason: undefined, at, clientGone: false }));
    },
    change: (index, change) => {
      const call = calls[index];
      if (call !== undefined) calls[index] = deepFreeze({ ...call, ...change });
    },
    addOther: (request) => {
      others.push(deepFreeze({ ...request }));
    },
    calls: () => Object.freeze([...calls]),
    others: () => Object.freeze([...others]),
  };
}
