import type { McpServers } from "../../src/agent/spec.ts";
import type { AskChannel } from "../../src/roles/ask-channel.ts";

/** A way to a human that nobody walks; counts how often servers were made. */
export function fakeChannel(): AskChannel & { readonly made: () => number } {
  let made = 0;
  return {
    toolName: "mcp__human__ask",
    inboxName: "mcp__human__inbox",
    mcpServers(): McpServers {
      made += 1;
      return { human: { type: "stdio", command: `server-${made}` } };
    },
    made: () => made,
  };
}
