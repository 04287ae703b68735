import type { ContentBlock, ModelMessage, ToolExchange } from "./model-request.ts";

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;
const TOKEN_REMINDER = /\s*<system-reminder>\s*<total_tokens>[^<]*<\/total_tokens>\s*<\/system-reminder>\s*$/;

/** What a person (or the caller of a subagent) said in this message: its texts without the CLI's reminders. */
export function spokenText(message: ModelMessage | undefined): string {
  if (message === undefined) return "";
  const texts = textsOf(message.content).map((text) => text.replaceAll(REMINDER, "").trim());
  return texts.filter((text) => text !== "").join("\n");
}

/** Everything after the last answer of the model, verbatim. */
export function latestText(messages: readonly ModelMessage[]): string {
  const start = messages.findLastIndex((message) => message.role === "assistant") + 1;
  const blocks = messages.slice(start).flatMap((message) => message.content);
  return blocks.map((block) => (block.type === "tool_result" ? resultText(block) : textOf(block))).join("\n");
}

/** The tool results in `carriers`, each with the call it answers, looked up in `messages`. */
export function toolExchanges(
  messages: readonly ModelMessage[],
  carriers: readonly ModelMessage[] = messages,
): readonly ToolExchange[] {
  const calls = new Map<string, ContentBlock>();
  for (const block of messages.flatMap((message) => message.content)) {
    if (block.type === "tool_use" && typeof block.id === "string") calls.set(block.id, block);
  }
  const results = carriers
    .flatMap((message) => message.content)
    .filter((block) => block.type === "tool_result");
  return results.map((block) => {
    const id = stringIn(block, "tool_use_id");
    const call = calls.get(id);
    return {
      id,
      tool: call === undefined ? "" : stringIn(call, "name"),
      input: call?.input,
      text: resultText(block).replace(TOKEN_REMINDER, ""),
      isError: block.is_error === true,
    };
  });
}

/** The text blocks' texts, in order. */
export function textsOf(blocks: readonly ContentBlock[]): readonly string[] {
  return blocks.filter((block) => block.type === "text").map(textOf);
}

function resultText(block: ContentBlock): string {
  if (typeof block.content === "string") return block.content;
  if (!Array.isArray(block.content)) return "";
  return block.content.map(textOf).join("\n");
}

function textOf(block: unknown): string {
  if (typeof block !== "object" || block === null || !("text" in block)) return "";
  return typeof block.text === "string" ? block.text : "";
}

function stringIn(block: ContentBlock, key: string): string {
  const value = block[key];
  return typeof value === "string" ? value : "";
}
