/** What `start.bench.ts` compares flower with: the least script on the SDK that asks Claude Code one thing. */
import { query } from "@anthropic-ai/claude-agent-sdk";

const [cwd = ".", prompt = ""] = process.argv.slice(2);
const running = query({
  prompt,
  options: {
    cwd,
    env: process.env,
    systemPrompt: { type: "preset", preset: "claude_code" },
    settingSources: [],
    tools: ["Read", "Glob", "Grep"],
  },
});
for await (const message of running) if (message.type === "result" && message.is_error) process.exitCode = 1;
