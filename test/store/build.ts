import type { SessionStoreEntry } from "../../src/store/types.ts";

/** Small transcripts for tests: a chain in which every entry hangs on the one before unless it says otherwise. */
export interface Transcript {
  readonly entries: SessionStoreEntry[];
  /** Adds any entry; returns its uuid. */
  add(entry: SessionStoreEntry): string;
  prompt(text: string): string;
  /** An assistant entry of its own message, with one block. */
  says(text: string): string;
  calls(id: string, name: string, input: Record<string, unknown>): string;
  bash(id: string, command: string): string;
  answers(id: string, content: unknown, extra?: Record<string, unknown>): string;
  /** A call that a hook refused, with its result. */
  denied(id: string, command?: string): void;
  apiError(): string;
}

export function transcript(): Transcript {
  const entries: SessionStoreEntry[] = [];
  let last: string | null = null;
  const add = (entry: SessionStoreEntry): string => {
    const uuid = entry.uuid ?? `u${entries.length}`;
    entries.push({
      parentUuid: last,
      isSidechain: false,
      sessionId: "s",
      timestamp: stampOf(entries.length),
      ...entry,
      uuid,
    });
    last = uuid;
    return uuid;
  };
  const assistant = (block: Record<string, unknown>): string =>
    add({
      type: "assistant",
      message: { id: `msg${entries.length}`, role: "assistant", model: "claude-test", content: [block] },
    });
  const self: Transcript = {
    entries,
    add,
    prompt: (text) => add({ type: "user", message: { role: "user", content: text } }),
    says: (text) => assistant({ type: "text", text }),
    calls: (id, name, input) => assistant({ type: "tool_use", id, name, input }),
    bash: (id, command) => self.calls(id, "Bash", { command }),
    answers: (id, content, extra = {}) =>
      add({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
        ...extra,
      }),
    denied: (id, command = "make") => {
      self.bash(id, command);
      self.add({
        type: "user",
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: id,
              content: "PreToolUse:Bash hook error: no",
              is_error: true,
            },
          ],
        },
        toolUseResult: "Error: PreToolUse:Bash hook error: no",
        toolDenialKind: "permission-rule",
      });
    },
    apiError: () =>
      add({
        type: "assistant",
        isApiErrorMessage: true,
        message: {
          id: `err${entries.length}`,
          role: "assistant",
          model: "<synthetic>",
          content: [{ type: "text", text: "API Error: 529" }],
        },
      }),
  };
  return self;
}

function stampOf(index: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
}
