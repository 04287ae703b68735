import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/**
 * What flows into a query: user messages, until `end()`. The CLI lives as long as its input, so whoever holds
 * this decides when the process ends.
 */
export class InputStream implements AsyncIterable<SDKUserMessage> {
  readonly #queue: SDKUserMessage[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(text: string): void {
    this.#queue.push({ type: "user", message: { role: "user", content: text }, parent_tool_use_id: null });
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
