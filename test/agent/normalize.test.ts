import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalize } from "../../src/agent/normalize.ts";

/** Messages as CLI 2.1.332 sends them, reduced to what matters here. */
function message(fields: object): SDKMessage {
  return {
    uuid: "00000000-0000-4000-8000-000000000000",
    session_id: "s",
    parent_tool_use_id: null,
    ...fields,
  } as unknown as SDKMessage;
}

const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 3_000,
  output_tokens: 1,
};
const assistant = (content: object[], more: object = {}): SDKMessage =>
  message({ type: "assistant", message: { model: "m", content, usage }, ...more });
const seen = (sdk: SDKMessage) =>
  normalize(sdk).map(({ kind, text, tool, payload }) => ({ kind, text, tool, payload }));

describe("a reply", () => {
  test("becomes one event a block, with the context of its session", () => {
    const blocks = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "hello" },
      { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls", description: "d" } },
    ];
    expect(seen(assistant(blocks))).toEqual([
      { kind: "thinking", text: "hm", tool: "", payload: { context: 3_210 } },
      { kind: "text", text: "hello", tool: "", payload: { context: 3_210 } },
      {
        kind: "tool_call",
        text: "ls",
        tool: "Bash",
        payload: { context: 3_210, id: "t1", input: blocks[2]?.["input" as never] },
      },
    ]);
  });

  test("of a subagent names it", () => {
    const of = { parent_tool_use_id: "t0", subagent_type: "coder", agent_id: "a1" };
    expect(normalize(assistant([{ type: "text", text: "x" }], of))[0]?.payload).toMatchObject({
      parent_tool_use_id: "t0",
      subagent: "coder",
      agent_id: "a1",
    });
  });

  test("that the CLI made up because of an API error is an error, never prose", () => {
    const sdk = message({
      type: "assistant",
      error: "server_error",
      message: { model: "<synthetic>", content: [{ type: "text", text: "API Error: 529" }], usage },
    });
    expect(seen(sdk)).toEqual([
      { kind: "error", text: "API Error: 529", tool: "", payload: { context: 3_210, synthetic: true } },
    ]);
  });

  test("shows at most 200 characters of a call", () => {
    const input = { file_path: "/".padEnd(300, "x") };
    expect(normalize(assistant([{ type: "tool_use", id: "t", name: "Read", input }]))[0]?.text).toHaveLength(
      200,
    );
  });
});

test("tool results and texts of the user side", () => {
  const content = [
    {
      type: "tool_result",
      tool_use_id: "t1",
      is_error: true,
      content: [{ type: "text", text: "x".repeat(600) }],
    },
    { type: "tool_result", tool_use_id: "t2", content: "fine" },
    { type: "text", text: "go on" },
  ];
  const events = seen(message({ type: "user", message: { role: "user", content } }));
  expect(events.map(({ kind, payload }) => [kind, payload])).toEqual([
    ["tool_result", { tool_use_id: "t1", is_error: true }],
    ["tool_result", { tool_use_id: "t2", is_error: false }],
    ["prompt", {}],
  ]);
  expect(events[0]?.text).toHaveLength(500);
});

test("a failed result is called a success by the CLI, and not by us", () => {
  const result = {
    type: "result",
    subtype: "success",
    is_error: true,
    result: "API Error",
    total_cost_usd: 0.5,
    num_turns: 2,
  };
  expect(seen(message(result))).toEqual([
    {
      kind: "result",
      text: "API Error",
      tool: "",
      payload: { session_id: "s", cost_usd: 0.5, num_turns: 2, is_error: true },
    },
  ]);
});

test.each([
  [
    {
      subtype: "api_retry",
      attempt: 1,
      max_retries: 10,
      retry_delay_ms: 500,
      error_status: 529,
      error: "overloaded",
    },
    "retry",
  ],
  [
    { subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 9, post_tokens: 1 } },
    "reset",
  ],
  [{ subtype: "task_started", task_id: "a", description: "d" }, "task"],
  [{ subtype: "init" }, "system"],
])("the system message %o becomes %s", (fields, kind) => {
  expect(normalize(message({ type: "system", ...fields })).map((event) => event.kind)).toEqual([kind]);
});

test("a retry of a subagent's request is told as the main thread's are, with its id", () => {
  const subagent_retry = {
    agent_id: "a1",
    attempt: 2,
    max_retries: 6,
    retry_delay_ms: 1_100,
    error_status: null,
    error_category: "unknown",
  };
  const [event] = normalize(message({ type: "tool_progress", subagent_retry }));
  expect(event).toMatchObject({
    kind: "retry",
    payload: { phase: "cli", attempt: 2, max_attempts: 6, wait_ms: 1_100, error: "unknown", agent_id: "a1" },
  });
  expect(normalize(message({ type: "tool_progress", heartbeat: true }))).toMatchObject([{ kind: "unknown" }]);
});

test("a message of a kind that nobody has heard of is kept", () => {
  const sdk = message({ type: "something_new" });
  expect(normalize(sdk)).toMatchObject([{ kind: "unknown", raw: sdk }]);
});

test("nothing that the CLI may send makes it throw", () => {
  const types = fc.constantFrom("assistant", "user", "result", "system", "stream_event");
  fc.assert(
    fc.property(
      types,
      fc.dictionary(fc.constantFrom("message", "subtype", "compact_metadata", "patch"), fc.jsonValue()),
      (type, fields) => {
        for (const event of normalize({ type, ...fields } as unknown as SDKMessage))
          expect(String(event)).not.toMatch(/\p{Cc}/u);
      },
    ),
  );
});

test("a row that the store lost is told with its reason", () => {
  const lost = { type: "system", subtype: "mirror_error", error: "database is locked", key: {} };
  expect(seen(message(lost))).toEqual([
    { kind: "system", text: "database is locked", tool: "", payload: { subtype: "mirror_error" } },
  ]);
});

test("an event reads as a line and is data as JSON", () => {
  const [event] = normalize(assistant([{ type: "text", text: "hello" }]));
  expect(String(event)).toBe("[text] hello");
  expect(Object.keys(JSON.parse(JSON.stringify(event)) as object)).toEqual([
    "kind",
    "text",
    "tool",
    "payload",
    "raw",
  ]);
});
