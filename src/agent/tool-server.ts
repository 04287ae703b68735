import { createSdkMcpServer, type McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { errorText } from "../base/errors.ts";
import type { ServedTool, ToolServer } from "../human/tool-server.ts";

type SdkTool = NonNullable<Parameters<typeof createSdkMcpServer>[0]["tools"]>[number];

/** What the SDK hands a tool beside its arguments; it calls it unknown (0.3.332). */
const callContext = z.object({ signal: z.instanceof(AbortSignal) });

/**
 * The in-process MCP server of these tools: the SDK's own, which is loaded anyway.
 *
 * Contract: a fresh instance each time, because an instance holds the connection of the query that it serves.
 */
export function sdkToolServer({ name, timeoutMs, tools }: ToolServer): McpSdkServerConfigWithInstance {
  return createSdkMcpServer({
    name,
    // Otherwise they hide behind the tool search, and a model would have to look for its inbox (HARNESS 4).
    alwaysLoad: true,
    timeout: timeoutMs,
    tools: tools.map(sdkTool),
  });
}

function sdkTool({ name, description, input, run }: ServedTool): SdkTool {
  return {
    name,
    description,
    inputSchema: input,
    handler: async (args, context) => {
      try {
        const text = await run(args, callContext.parse(context).signal);
        return { content: [{ type: "text", text }] };
      } catch (thrown) {
        return { isError: true, content: [{ type: "text", text: errorText(thrown) }] };
      }
    },
  };
}
