import { randomUUID, type UUID } from "node:crypto";
import type { Query, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import type { InputStream } from "./input-stream.ts";
import type { WorkInProgress } from "./work-in-progress.ts";

/** What is said into a query that runs. */
export interface Words {
  readonly text: string;
  /** With an interrupt: say nothing when the turn ended by itself before it was cut. Default false. */
  readonly onlyIfCut?: boolean;
  /**
   * Called once, when the words have been taken into a request, or when there was nothing to say. If it was not
   * called by the end of the query, no model has them. Contract: must not throw.
   */
  readonly onTaken: () => void;
}

/** Sent by the CLI, missing in the SDK's types (0.3.332). `started`: taken into a request. */
const lifecycle = z.object({
  type: z.literal("command_lifecycle"),
  command_uuid: z.string(),
  state: z.string(),
});

/** What became of a message that was pushed with a uuid; undefined when `message` is about something else. */
export function lifecycleOf(message: SDKMessage): { uuid: string; state: string } | undefined {
  const { data } = lifecycle.safeParse(message);
  return data === undefined ? undefined : { uuid: data.command_uuid, state: data.state };
}

/** The main thread calls a tool. */
function isCall(message: SDKMessage): boolean {
  if (message.type !== "assistant" || message.parent_tool_use_id !== null) return false;
  return message.message.content.some(({ type }) => type === "tool_use");
}

interface TalkOptions {
  readonly running: Pick<Query, "interrupt" | "backgroundTasks">;
  readonly input: InputStream;
  readonly progress: WorkInProgress;
  /** Called when what was under way is done, because no message need follow. */
  readonly onQuiet: () => void;
}

/**
 * Says words to a CLI that is at work, and cuts its turn. One thing after the other, in the order of the calls.
 *
 * A subagent in the foreground would hold words back until it ends, and an interrupt would kill it (HARNESS 13.1,
 * 13.3). So it is moved into the background first, by the id of its call: without one the CLI would move commands too.
 */
export class Talk {
  readonly #options: TalkOptions;
  /** Pushed, and not known to be taken. */
  readonly #onTheirWay = new Map<string, Words>();
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;
  /** Of these, the words of interrupts. */
  readonly #urgent = new Set<string>();
  /** Other words were taken and urgent ones were not: the turn that has begun would keep them waiting. */
  #isOvertaken = false;
  /** What follows the turn that is being cut. */
  #ifCut: Words | undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** No words are on their way and no interrupt is. */
  get isQuiet(): boolean {
    return this.#underWay === 0 && this.#onTheirWay.size === 0 && this.#ifCut === undefined;
  }

  say(words: Words): boolean {
    if (this.#options.input.ended) return false;
    this.#inTurn(async () => this.#push(words));
    return true;
  }

  interrupt(next?: Words): void {
    if (this.#options.input.ended) return;
    this.#inTurn(async () => {
      const { running, input, progress } = this.#options;
      // What the one before would have said when cut, this one says.
      this.#ifCut?.onTaken();
      this.#ifCut = undefined;
      const isSpared = await this.#spareAgents();
      const isCutting = progress.isInTurn;
      if (next?.onlyIfCut && isCutting) this.#ifCut = next;
      // Refused when the turn is over already: then there is nothing left to stop.
      await running.interrupt().catch(() => undefined);
      // Cut off with its id unknown to the model: whoever goes on with the session has to name it.
      if (!isSpared) {
        this.#ifCut = undefined;
        input.end();
      } else if (next?.onlyIfCut) {
        if (!isCutting) next.onTaken();
      } else if (next !== undefined) this.#urgent.add(this.#push(next));
    });
  }

  take(message: SDKMessage): void {
    if (message.type === "result") this.#takeResult(message.terminal_reason ?? "");
    if (this.#isOvertaken && isCall(message)) this.#cutAgain();
    // One that begins while words wait would hold them as well.
    if (message.type === "system" && message.subtype === "task_started" && this.#onTheirWay.size > 0)
      this.#inTurn(() => this.#spareAgents());
    const told = lifecycleOf(message);
    const words = told === undefined ? undefined : this.#onTheirWay.get(told.uuid);
    if (told === undefined || words === undefined) return;
    // Only now: a call that returned earlier would be answered by a request without the words.
    if (told.state === "queued") this.#inTurn(() => this.#spareAgents());
    else this.#forget(told.uuid);
    if (told.state !== "started") return;
    words.onTaken();
    this.#isOvertaken = this.#urgent.size > 0;
  }

  /**
   * Two interrupts in one breath: the second found no turn to cut, for the first had just cut it, and its words came too
   * late for the request of the next. That turn is known by its first call, before which all that is taken is told.
   */
  #cutAgain(): void {
    const [uuid] = this.#urgent;
    const words = uuid === undefined ? undefined : this.#onTheirWay.get(uuid);
    this.#isOvertaken = false;
    if (uuid === undefined || words === undefined) return;
    this.#inTurn(async () => {
      await this.#spareAgents();
      // Taken meanwhile, they are said again when their turn is the one that is cut.
      this.#ifCut = { text: words.text, onTaken: () => undefined };
      await this.#options.running.interrupt().catch(() => undefined);
      if (this.#onTheirWay.has(uuid)) this.#ifCut = undefined;
    });
  }

  /** The receipt of an interrupt comes before the result of the turn that it cut (SDK 0.3.332). */
  #takeResult(reason: string): void {
    const words = this.#ifCut;
    if (words === undefined) return;
    this.#ifCut = undefined;
    if (reason.startsWith("aborted")) this.#push(words);
    else words.onTaken();
  }

  #push(words: Words): UUID {
    const uuid: UUID = randomUUID();
    this.#onTheirWay.set(uuid, words);
    this.#options.input.push(words.text, uuid);
    return uuid;
  }

  #forget(uuid: string): void {
    this.#onTheirWay.delete(uuid);
    this.#urgent.delete(uuid);
  }

  /** False when a subagent of the main thread could not be moved into the background. */
  async #spareAgents(): Promise<boolean> {
    const { running, progress } = this.#options;
    const calls = progress.foreground;
    const moved = await Promise.all(calls.map((call) => running.backgroundTasks(call).catch(() => false)));
    // One that has just ended cannot be moved either.
    return calls.every((call, at) => moved[at] === true || !progress.foreground.includes(call));
  }

  #inTurn(work: () => Promise<unknown>): void {
    this.#underWay += 1;
    this.#last = this.#last.then(work).then(
      () => this.#done(),
      () => this.#done(),
    );
  }

  #done(): void {
    this.#underWay -= 1;
    this.#options.onQuiet();
  }
}
