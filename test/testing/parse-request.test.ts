import { describe, expect, test } from "vitest";
import {
  allOf,
  hasTool,
  isMain,
  isSubagent,
  not,
  promptIncludes,
  systemIncludes,
} from "../../src/testing/index.ts";
import { parseRequest } from "../../src/testing/parse-request.ts";

const REMINDER = "<system-reminder>\nToday is a day.\n</system-reminder>\n";
const TOKENS = "\n\n<system-reminder>\n<total_tokens>149 tokens left</total_tokens>\n</system-reminder>";

function parse(
  body: Record<string, unknown>,
  { path = "/v1/messages?beta=true", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const text = JSON.stringify({ model: "m", max_tokens: 32_000, tools: [{ name: "Bash" }], ...body });
  return parseRequest({ index: 0, path, headers, text });
}

const user = (...content: unknown[]) => ({ role: "user", content });
const said = (text: string) => ({ type: "text", text });
const called = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
const result = (tool_use_id: string, content: unknown, is_error?: boolean) => ({
  type: "tool_result",
  tool_use_id,
  content,
  is_error,
});

const CONVERSATION = {
  system: [said("You are the coordinator."), said("Be brief.")],
  messages: [
    user(said(REMINDER), said(`${REMINDER}build it`)),
    { role: "assistant", content: [said("ok"), called("t1", "Bash", { command: "a" })] },
    user(result("t1", "out a")),
    {
      role: "assistant",
      content: [called("t2", "Read", { file: "b" }), called("t3", "Agent", { prompt: "c" })],
    },
    user(
      result("t3", [said("report"), said("agentId: x")]),
      result("t2", `no such file${TOKENS}`, true),
      said("<system-reminder>a hook says so</system-reminder>"),
    ),
    { role: "system", content: "<system-reminder>149 tokens left</system-reminder>" },
  ],
};

describe("what a request says", () => {
  const request = parse(CONVERSATION);

  test("the system prompt is one text, and plain strings are blocks", () => {
    expect(request.system).toBe("You are the coordinator.\nBe brief.");
    expect(parse({ system: "plain", messages: [] }).system).toBe("plain");
    expect(request.messages.at(-1)?.content).toEqual([
      { type: "text", text: "<system-reminder>149 tokens left</system-reminder>" },
    ]);
    expect(request.tools).toEqual(["Bash"]);
  });

  test("prompts are without reminders, and the last user message counts, not the last message", () => {
    expect(request.firstPrompt).toBe("build it");
    expect(request.prompt).toBe("");
    expect(parse({ messages: [user(said("one")), { role: "system", content: "s" }] }).prompt).toBe("one");
    expect(parse({ messages: [] }).prompt).toBe("");
  });

  test("tool results are found with their calls, in the order they came back", () => {
    expect(request.toolResults).toEqual([
      { id: "t3", tool: "Agent", input: { prompt: "c" }, text: "report\nagentId: x", isError: false },
      { id: "t2", tool: "Read", input: { file: "b" }, text: "no such file", isError: true },
    ]);
    expect(request.history().map((one) => one.id)).toEqual(["t1", "t3", "t2"]);
    expect(parse({ messages: [user(result("gone", "x"))] }).toolResults).toEqual([
      { id: "gone", tool: "", input: undefined, text: "x", isError: false },
    ]);
  });

  test("what is new since the last answer is there verbatim, reminders and all", () => {
    expect(request.latest).toContain("report\nagentId: x");
    expect(request.latest).toContain("a hook says so");
    expect(request.latest).toContain("149 tokens left");
    expect(request.latest).not.toContain("out a");
  });

  test("it cannot be changed", () => {
    expect(Object.isFrozen(request)).toBe(true);
    expect(Object.isFrozen(request.body)).toBe(true);
    expect(Object.isFrozen(request.messages[0]?.content[0])).toBe(true);
    expect(Object.isFrozen(request.toolResults[0])).toBe(true);
    expect(Object.isFrozen(request.headers)).toBe(true);
  });
});

describe("who asks, and with what", () => {
  test("a subagent is known by its header, or by the billing line when there is none", () => {
    const headers = { "x-claude-code-agent-id": "a1", "x-claude-code-session-id": "s1" };
    const named = parse({ messages: [] }, { headers });
    expect(named).toMatchObject({ agent: "subagent", agentId: "a1", sessionId: "s1" });
    const unnamed = parse({ messages: [], system: [said("cc_is_subagent=true;")] });
    expect(unnamed).toMatchObject({ agent: "subagent", agentId: undefined });
    expect(parse({ messages: [] }).agent).toBe("main");
  });

  test("credentials can be checked but are not recorded", () => {
    const key = parse({ messages: [] }, { headers: { "x-api-key": "secret-1", accept: "*/*" } });
    expect(key.headers).toEqual({ "x-api-key": "[credential]", accept: "*/*" });
    expect(key.credential).toBe("x-api-key");
    expect([key.credentialIs("secret-1"), key.credentialIs("other")]).toEqual([true, false]);
    const bearer = parse({ messages: [] }, { headers: { authorization: "Bearer secret-2" } });
    expect(bearer.credential).toBe("bearer");
    expect(bearer.credentialIs("secret-2")).toBe(true);
    const none = parse({ messages: [] });
    expect(none.credential).toBe("none");
    expect(none.credentialIs("")).toBe(false);
    expect(JSON.stringify([key, bearer])).not.toContain("secret");
  });
});

describe("what a request is for", () => {
  const ask = (text: string) => [user(said(text))];

  test.each([
    ["turn", { messages: ask("Hi") }],
    ["turn", { messages: ask("a plain question"), tools: [] }],
    ["probe", { messages: ask("Hi"), tools: undefined, max_tokens: 1 }],
    ["probe", { messages: ask("ping"), tools: [], max_tokens: 16 }],
    ["compaction", { messages: ask("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.") }],
    [
      "progress-summary",
      { messages: ask("Describe your most recent action in 3-5 words using present tense") },
    ],
  ])("%s: %j", (kind, body) => {
    expect(parse(body).kind).toBe(kind);
  });

  test("count-tokens: by its path", () => {
    const path = "/v1/messages/count_tokens?beta=true";
    expect(parse({ messages: ask("foo"), tools: [] }, { path }).kind).toBe("count-tokens");
  });

  test.each(["", "{", "[]", "{}", '{"model":"m"}', '{"model":"m","messages":[{"role":"user"}]}'])(
    "%j is none",
    (text) => {
      expect(() => parseRequest({ index: 0, path: "/v1/messages", headers: {}, text })).toThrow();
    },
  );
});

describe("predicates", () => {
  const main = parse(CONVERSATION);
  const sub = parse(
    { messages: [user(said("part A")), { role: "assistant", content: "x" }, user(said("more"))] },
    { headers: { "x-claude-code-agent-id": "a1" } },
  );

  test("tell agents, roles, prompts and tools apart", () => {
    expect([isMain(main), isMain(sub), isSubagent(main), isSubagent(sub)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([systemIncludes("coordinator")(main), systemIncludes("coordinator")(sub)]).toEqual([true, false]);
    expect([hasTool("Bash")(main), hasTool("Write")(main)]).toEqual([true, false]);
    expect([promptIncludes("build it")(main), promptIncludes("build it")(sub)]).toEqual([true, false]);
  });

  test("a prompt still counts in the rounds after it; a reminder never does", () => {
    expect([promptIncludes("part A")(sub), promptIncludes("more")(sub)]).toEqual([true, true]);
    expect(promptIncludes("Today is a day")(main)).toBe(false);
  });

  test("can be combined", () => {
    expect(allOf(isSubagent, promptIncludes("part A"))(sub)).toBe(true);
    expect(allOf(isSubagent, promptIncludes("part B"))(sub)).toBe(false);
    expect(allOf()(sub)).toBe(true);
    expect(not(isMain)(sub)).toBe(true);
  });
});
