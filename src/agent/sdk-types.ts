/** The SDK's message type for the layers above, which do not import the SDK themselves. */
export type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
