import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { errorText } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { HUMAN_MESSAGES } from "../lang/messages/human.ts";

export const SERVER_NAME = "human";
export const ASK_TOOL = "ask";
export const INBOX_TOOL = "inbox";

/** What a tool of the server does; the text goes to the model. */
export interface HumanTools {
  readonly ask: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string>;
  readonly inbox: () => string;
}

/** An in-process MCP server as the Agent SDK takes it (`McpSdkServerConfigWithInstance`, SDK 0.3.332). */
export interface HumanServerConfig {
  readonly type: "sdk";
  readonly name: string;
  readonly instance: McpServer;
  /** Milliseconds a call may take. */
  readonly timeout: number;
}

/**
 * The longest time a timer of Node can hold, and where the CLI cuts the setting off (2.1.332): 24.8 days. Without it
 * the CLI would end a call after 27.8 hours or whatever `MCP_TOOL_TIMEOUT` says; how long to wait for a human is
 * the channel's business.
 */
const CALL_TIMEOUT_MS = 2 ** 31 - 1;

/** Without it the tools hide behind the tool search, and a model would have to look for its inbox (HARNESS 4). */
const ALWAYS_LOADED = { "anthropic/alwaysLoad": true } as const;

/**
 * A new server with the tools `ask` and `inbox`, in the shape that the SDK's own `createSdkMcpServer` returns.
 *
 * Contract: a fresh instance for every query, because an instance holds the connection of the one it serves.
 */
export function createHumanServer(tools: HumanTools, lang: Lang): HumanServerConfig {
  const texts = HUMAN_MESSAGES[lang];
  const instance = new McpServer({ name: SERVER_NAME, version: "1.0.0" }, { capabilities: { tools: {} } });
  instance.registerTool(
    ASK_TOOL,
    {
      description: texts.askDescription,
      inputSchema: {
        question: z.string().describe(texts.askQuestion),
        options: z.array(z.string()).optional().describe(texts.askOptions),
      },
      _meta: ALWAYS_LOADED,
    },
    ({ question, options }, { signal }) => reply(() => tools.ask(question, options ?? [], signal)),
  );
  instance.registerTool(
    INBOX_TOOL,
    { description: texts.inboxDescription, inputSchema: {}, _meta: ALWAYS_LOADED },
    () => reply(tools.inbox),
  );
  return { type: "sdk", name: SERVER_NAME, instance, timeout: CALL_TIMEOUT_MS };
}

async function reply(work: () => string | Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: await work() }] };
  } catch (thrown) {
    return { isError: true, content: [{ type: "text", text: errorText(thrown) }] };
  }
}
