import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columns } from "../../src/base/text.ts";
import { type RenderOptions, renderEvent } from "../../src/cli/render.ts";
import { createEvent } from "../../src/events/event.ts";

const plain: RenderOptions = { lang: "en", width: 60, colors: false, verbose: false, answerable: false };

test("a line shows who does what", () => {
  const call = { id: "t1", input: {}, parent_tool_use_id: "t0", subagent: "coder" };
  expect(renderEvent(createEvent("tool_call", call, { tool: "Bash", text: "npm test" }), plain)).toEqual([
    "| > Bash npm test",
  ]);
  expect(renderEvent(createEvent("text", {}, { text: "one\n\ntwo" }), plain)).toEqual(["* one", "* two"]);
  const step = { index: 1, total: 3, resumed: true, woke: 2 };
  expect(renderEvent(createEvent("step", step, { text: "goal" }), plain)).toEqual([
    "= step 2/3: goal · goes on in its session",
  ]);
});

const question = {
  kind: "question",
  id: "q1",
  state: "asked",
  options: ["a", "b"],
  answer: null,
  waited_s: 0,
} as const;

test("a question is shown with its numbered options, and with how to answer when somebody can", () => {
  const asked = createEvent("ask", question, { text: "Which?" });
  expect(renderEvent(asked, plain)).toEqual(["? Which?", "? 1. a", "? 2. b"]);
  expect(renderEvent(asked, { ...plain, answerable: true, width: 110 }).at(-1)).toBe(
    "? type the number of an option or your own words; empty: skip",
  );
});

test("how a question ended is told in words of the reader's language", () => {
  const ended = createEvent("ask", { ...question, state: "over_budget" }, { text: "Which?" });
  expect(renderEvent(ended, plain)).toEqual(["? question ended: no questions left"]);
  expect(renderEvent(ended, { ...plain, lang: "zh" })).toEqual(["? 问题结束:次数用完"]);
});

test("thinking, prompts and good results are for --verbose, failures for everybody", () => {
  const thinking = createEvent("thinking", {}, { text: "hm" });
  const good = createEvent("tool_result", { tool_use_id: "t", is_error: false }, { text: "fine" });
  const bad = createEvent("tool_result", { tool_use_id: "t", is_error: true }, { text: "broken" });
  expect([thinking, good, bad].map((event) => renderEvent(event, plain).length)).toEqual([0, 0, 1]);
  expect(
    [thinking, good, bad].map((event) => renderEvent(event, { ...plain, verbose: true }).length),
  ).toEqual([1, 1, 1]);
});

test("a path in a notice stays whole, however narrow the terminal", () => {
  const path = `/home/user/${"deep/".repeat(30)}manifest.json`;
  const [line] = renderEvent(createEvent("system", { subtype: "notice" }, { text: `kept as ${path}` }), {
    ...plain,
    width: 40,
  });
  expect(line).toContain(path);
});

test("a line is broken between words, and each of its parts is indented as it was", () => {
  const text = `1. first\n    ${"four words and more ".repeat(6)}`;
  const lines = renderEvent(createEvent("text", {}, { text }), { ...plain, width: 40 });
  expect(lines[0]).toBe("* 1. first");
  expect(lines.slice(1).map((line) => /^\* {5}\S/.test(line))).toEqual([true, true, true, true]);
  // Two spaces between words, just where the line breaks.
  const gap = `${"a".repeat(20)} ${"b".repeat(17)}  ccc`;
  expect(renderEvent(createEvent("text", {}, { text: gap }), { ...plain, width: 40 })).toEqual([
    `* ${"a".repeat(20)} ${"b".repeat(17)}`,
    "* ccc",
  ]);
});

test("text without a break is cut before it is wrapped", () => {
  const lines = renderEvent(createEvent("text", {}, { text: "好".repeat(1_000_000) }), plain);
  expect(lines.join("").length).toBeLessThan(5_000);
  expect(lines.at(-1)).toContain("…");
});

describe("an error", () => {
  const error = `API Error: ${"everything is overloaded ".repeat(20)}at the end`;
  const retry = createEvent("retry", {
    phase: "backoff",
    attempt: 1,
    max_attempts: 6,
    wait_ms: 3_200,
    error,
  });

  test("is told on as many lines as it needs, up to three", () => {
    const short = createEvent("retry", { ...retry.payload, error: "API Error: 529 the model is overloaded" });
    expect(renderEvent(short, { ...plain, width: 40 })).toEqual([
      "! attempt 1 of 6 failed; next in 4 s ·",
      "! API Error: 529 the model is overloaded",
    ]);
    for (const event of [
      retry,
      createEvent("error", { synthetic: true }, { text: error }),
      createEvent("tool_result", { tool_use_id: "t", is_error: true }, { text: error }),
    ]) {
      const lines = renderEvent(event, plain);
      expect(lines).toHaveLength(3);
      expect(lines.at(-1)).toMatch(/…$/);
      for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(plain.width);
    }
  });
});

test("what the gateway says about a request that it holds is told in its own words", () => {
  const held = { attempt: 3, max_attempts: null, wait_ms: 5_000, error: "529", since_ms: 0 } as const;
  for (const phase of ["lost", "online", "backoff", "gave_up"] as const)
    expect(renderEvent(createEvent("retry", { ...held, phase }, { text: `529: ${phase}` }), plain)).toEqual([
      `! 529: ${phase}`,
    ]);
});

test("where a handoff lies is told whole, however narrow the terminal", () => {
  const path = `/home/user/${"deep/".repeat(30)}handoff-work.md`;
  const done = createEvent("handoff", { phase: "done", context: 1, window: 2, degraded: false, path });
  expect(renderEvent(done, plain)).toEqual([`- handed over to a fresh session  ${path}`]);
});

describe("whatever a model prints", () => {
  const texts = fc.string({ unit: "binary", maxLength: 300 });
  const widths = fc.integer({ min: 40, max: 110 });

  test("stays within the width and brings no control sequence", () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        const events = [
          createEvent("text", { parent_tool_use_id: "t0" }, { text }),
          createEvent("tool_call", { id: "t", input: {} }, { text, tool: text }),
          createEvent("tool_result", { tool_use_id: "t", is_error: true }, { text }),
          createEvent("error", { synthetic: true }, { text }),
        ];
        for (const line of events.flatMap((event) => renderEvent(event, { ...plain, width }))) {
          expect(line).not.toMatch(/\p{Cc}/u);
          expect(columns(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
