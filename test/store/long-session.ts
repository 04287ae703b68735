import type { SessionStoreEntry } from "../../src/store/types.ts";

/** Characters of ten results in a row: most are short, and a few are most of it. */
const RESULT_CHARS = [200, 400, 600, 800, 1200, 1600, 3000, 5000, 8000, 10_000];
const COMMANDS = ["git status", "npm test", "ls -la src", "cat src/main.ts"];

/**
 * A session as long runs leave them, about 4 KB an entry as JSON: a call and its result in turn, the result twice (the
 * CLI keeps a copy in `toolUseResult`), and now and then a denial, an API error, or a call that was never answered.
 */
export function* longSession(count: number): Generator<SessionStoreEntry> {
  let parentUuid: string | null = null;
  const chained = (n: number, entry: SessionStoreEntry): SessionStoreEntry => {
    const uuid = `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const envelope = {
      isSidechain: false,
      cwd: "/ws",
      sessionId: "s",
      version: "2.1.332",
      gitBranch: "main",
    };
    const made = { parentUuid, ...envelope, ...entry, uuid, timestamp };
    parentUuid = uuid;
    return made;
  };
  for (let n = 0; n < count; n += 1) {
    const call = Math.floor(n / 2);
    if (n === 0) yield chained(n, { type: "user", message: { role: "user", content: "go" } });
    else if (n % 2 === 1) yield chained(n, call % 97 === 96 ? apiError(n) : callOf(call));
    else if (call % 89 !== 88) yield chained(n, resultOf(call - 1));
    else yield chained(n, { type: "user", message: { role: "user", content: "go on" } });
  }
}

function callOf(call: number): SessionStoreEntry {
  const input = { command: COMMANDS[call % COMMANDS.length], description: "looks at it ".repeat(60) };
  const usage = { input_tokens: 3, cache_read_input_tokens: 50_000, output_tokens: 90 };
  return {
    type: "assistant",
    message: {
      id: `msg_${call}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [{ type: "tool_use", id: `toolu_${call}`, name: "Bash", input }],
      usage,
    },
  };
}

function resultOf(call: number): SessionStoreEntry {
  const isDenied = call % 101 === 100;
  const line = `${call}: src/main.ts(12,7): what a tool prints, line after line\n`;
  const chars = RESULT_CHARS[call % RESULT_CHARS.length] ?? 0;
  const text = isDenied
    ? "PreToolUse:Bash hook error: no"
    : line.repeat(chars / line.length + 1).slice(0, chars);
  const result = { type: "tool_result", tool_use_id: `toolu_${call}`, content: text, is_error: isDenied };
  return {
    type: "user",
    message: { role: "user", content: [result] },
    toolUseResult: isDenied ? `Error: ${text}` : { stdout: text, stderr: "", interrupted: false },
    ...(isDenied ? { toolDenialKind: "permission-rule" } : {}),
  };
}

function apiError(n: number): SessionStoreEntry {
  return {
    type: "assistant",
    isApiErrorMessage: true,
    message: {
      id: `err_${n}`,
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text: "API Error: 529" }],
    },
  };
}
