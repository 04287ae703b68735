import type { Event } from "../events/event.ts";
import type { ResolvedHandoff } from "./handoff-policy.ts";

/** Tells when the main thread's context has reached the thresholds of the handoff policy. */
export class ContextWatch {
  readonly #policy: ResolvedHandoff;
  readonly #onNear: (context: number) => void;
  /** Calls of the main thread that have no result yet: a turn is broken between them, not within. */
  readonly #open = new Set<string>();
  #context = 0;

  constructor(policy: ResolvedHandoff, onNear: (context: number) => void) {
    this.#policy = policy;
    this.#onNear = onNear;
  }

  /** True at the first result after which no call is open and the threshold is reached: break the turn here. */
  isDue(event: Event): boolean {
    if (!this.#policy.enabled || isOfSubagent(event)) return false;
    if (event.kind === "text" || event.kind === "thinking" || event.kind === "tool_call") {
      this.#see(event.payload.context);
    }
    if (event.kind === "tool_call") this.#open.add(event.payload.id);
    if (event.kind !== "tool_result" || !this.#open.delete(event.payload.tool_use_id)) return false;
    return this.#open.size === 0 && this.#context >= this.#policy.at;
  }

  #see(context: number | undefined): void {
    this.#context = context ?? this.#context;
    if (this.#context >= this.#policy.warnAt) this.#onNear(this.#context);
  }
}

function isOfSubagent({ payload }: Event): boolean {
  return "parent_tool_use_id" in payload && payload.parent_tool_use_id !== undefined;
}
