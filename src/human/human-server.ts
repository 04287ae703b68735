import { z } from "zod";
import type { Lang } from "../lang/lang.ts";
import { HUMAN_MESSAGES } from "../lang/messages/human.ts";
import type { ToolServer } from "./tool-server.ts";

export const SERVER_NAME = "human";
export const ASK_TOOL = "ask";
export const INBOX_TOOL = "inbox";

/** What a tool of the server does; the text goes to the model. */
export interface HumanTools {
  readonly ask: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string>;
  readonly inbox: () => string;
}

/**
 * The longest time a timer of Node can hold, and where the CLI cuts the setting off (2.1.332): 24.8 days. Without it
 * the CLI would end a call after 27.8 hours or whatever `MCP_TOOL_TIMEOUT` says; how long to wait for a human is
 * the channel's business.
 */
const CALL_TIMEOUT_MS = 2 ** 31 - 1;

/** The server with the tools `ask` and `inbox`. */
export function humanServer({ ask, inbox }: HumanTools, lang: Lang): ToolServer {
  const texts = HUMAN_MESSAGES[lang];
  const question = z.object({
    question: z.string().describe(texts.askQuestion),
    options: z.array(z.string()).optional().describe(texts.askOptions),
  });
  return {
    type: "tools",
    name: SERVER_NAME,
    timeoutMs: CALL_TIMEOUT_MS,
    tools: [
      {
        name: ASK_TOOL,
        description: texts.askDescription,
        input: question.shape,
        run: (input, signal) => {
          const asked = question.parse(input);
          return ask(asked.question, asked.options ?? [], signal);
        },
      },
      { name: INBOX_TOOL, description: texts.inboxDescription, input: {}, run: inbox },
    ],
  };
}
