import type { UUID } from "node:crypto";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/**
 * What flows into a query: user messages, until `end()`. The CLI lives as long as its input, so whoever holds
 * this decides when the process ends.
 */
export class InputStream implements AsyncIterable<SDKUserMessage> {
  readonly #queue: SDKUserMessage[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Nothing that is pushed from now on is said. */
  get ended(): boolean {
    return this.#ended;
  }

  /** With a `uuid` the CLI tells what becomes of the message (`command_lifecycle`). */
  push(text: string, uuid?: UUID): void {
    this.#queue.push({
      type: "user",
      message: { role: "user", content: asText(text) },
      parent_tool_use_id: null,
      ...(uuid === undefined ? {} : { uuid }),
    });
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The CLI takes a message that begins with a slash for one of its own commands (2.1.332); ours are always words. */
function asText(text: string): string {
  return text.trimStart().startsWith("/") ? `—\n${text}` : text;
}
