import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

type SystemMessage = Extract<SDKMessage, { type: "system" }>;

/** What is still going on in a query, folded from its messages. */
export class WorkInProgress {
  #answered = false;
  #inTurn = false;
  /** The CLI's own word, background agents and waiting notifications included; undefined when it never gave one. */
  #state: "idle" | "running" | undefined;
  /** Subagents that have not ended, of any depth. */
  readonly #agents = new Set<string>();
  /** Calls of the main thread that wait for their subagent: task id to tool use id. */
  readonly #foreground = new Map<string, string>();
  /** Commands that the main thread left running, by task id. */
  readonly #shells = new Set<string>();
  readonly #lost = new Set<string>();

  take(message: SDKMessage): void {
    if (message.type === "assistant" && message.parent_tool_use_id === null) this.#inTurn = true;
    if (message.type === "result" && !isWithoutModel(message)) {
      this.#answered = true;
      this.#inTurn = false;
      this.#lost.clear();
    }
    if (message.type === "system") this.#takeSystem(message);
  }

  /** Calls of the main thread that are blocked by a subagent. */
  get foreground(): readonly string[] {
    return [...this.#foreground.values()];
  }

  /** A turn of the main thread runs, or the first has yet to begin. */
  get isInTurn(): boolean {
    return this.#inTurn || !this.#answered;
  }

  /** A turn was answered, and neither a turn nor an agent has begun since that has not ended. */
  get rests(): boolean {
    return this.#answered && !this.#inTurn && this.#agents.size === 0;
  }

  /**
   * Rests, and nothing will follow by itself. An agent that was moved into the background starts a turn when it ends;
   * between its end and that turn only the CLI knows that there will be one.
   */
  get isOver(): boolean {
    return this.rests && this.#state !== "running";
  }

  /** Task ids of commands that the main thread left running; the CLI stays for them, for hours (2.1.332). */
  get leftCommands(): readonly string[] {
    return [...this.#shells];
  }

  /** An agent was stopped while no turn ran, and no turn has told of it: what a spent budget does (HARNESS 13.8). */
  get lostAgents(): boolean {
    return this.#lost.size > 0;
  }

  #takeSystem(message: SystemMessage): void {
    switch (message.subtype) {
      case "init":
        this.#inTurn = true;
        break;
      case "session_state_changed":
        this.#state = message.state === "idle" ? "idle" : "running";
        break;
      case "task_started":
        this.#begin(message);
        break;
      case "task_updated":
        if (message.patch.is_backgrounded) this.#foreground.delete(message.task_id);
        if (isOver(message.patch.status)) this.#end(message.task_id, message.patch.status === "killed");
        break;
      case "task_notification":
        this.#end(message.task_id, message.status === "stopped");
        break;
      default:
    }
  }

  #begin(message: Extract<SystemMessage, { subtype: "task_started" }>): void {
    const { task_id: id, tool_use_id: call, is_backgrounded: isBackgrounded } = message;
    const ofMainThread = message.parent_task_id === undefined;
    if (message.subagent_type === undefined) {
      if (ofMainThread && isBackgrounded) this.#shells.add(id);
      return;
    }
    this.#agents.add(id);
    if (ofMainThread && isBackgrounded === false && call !== undefined) this.#foreground.set(id, call);
  }

  #end(id: string, stopped: boolean): void {
    if (this.#agents.delete(id) && stopped && this.#answered && !this.#inTurn) this.#lost.add(id);
    this.#foreground.delete(id);
    this.#shells.delete(id);
  }
}

/**
 * A resumed session first takes up, in a turn of its own that asks nobody, what became of background agents of its last
 * process (2.1.332; the SDK knows such a result by the same marks, 0.3.332). Whoever took that for the answer would end
 * the input, and with it the hooks: every call of a worker that goes on would be refused.
 */
function isWithoutModel(result: Extract<SDKMessage, { type: "result" }>): boolean {
  return result.subtype === "success" && !result.is_error && result.num_turns === 0 && result.result === "";
}

function isOver(status: string | undefined): boolean {
  return status === "completed" || status === "failed" || status === "killed";
}
