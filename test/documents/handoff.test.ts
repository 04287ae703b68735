import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { degradedHandoff, Handoff } from "../../src/documents/handoff.ts";
import { isOverflow } from "../../src/documents/overflow.ts";
import { HANDOFF_PROMPT, handoffPrompt } from "../../src/lang/handoff-prompt.ts";
import { HANDOFF_HEADINGS } from "../../src/lang/headings.ts";
import { LANGS } from "../../src/lang/lang.ts";
import { anyUnits, lang, trickyText } from "./arbitraries.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flower-handoff-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe("a handoff document", () => {
  test("needs what is being done and what comes next, nothing else", () => {
    expect(new Handoff({ doing: "a", next: "b" }).complete()).toBe(true);
    expect(new Handoff({ decided: "a", scene: "b" }).missing()).toEqual(["Doing now", "Next step"]);
    expect(new Handoff({ doing: "(空)", next: "b", lang: "zh" }).missing()).toEqual(["现在在做"]);
    expect(new Handoff({ doing: "a", next: "b", lang: "zh" }).present()).toEqual(["现在在做", "下一步"]);
  });

  test("is written with its step and loaded again", () => {
    const path = join(directory, "handoff-work.md");
    expect(Handoff.load(path)).toBeUndefined();
    const handoff = new Handoff({ doing: "a", next: "b", step: "work · 2" });
    handoff.write(path);
    expect(handoff.toMarkdown()).toBe(
      "# Handoff · work · 2\n\n## Doing now\n\na\n\n## Decided\n\n(empty)\n\n## Dead ends\n\n(empty)\n\n## Next step\n\nb\n\n## Scene\n\n(empty)\n",
    );
    expect(Handoff.load(path)).toEqual(handoff.with({ path }));
  });

  test("written by hand in the original's form loads", () => {
    const path = join(directory, "交接-干活.md");
    writeFileSync(
      path,
      "# 交接\n\n## 现在在做\n\n写解析器,词法已完成\n\n## 已定的事\n\n- 不用正则\n\n## 走不通的\n\n(空)\n\n## 下一步\n\n写 parse.ts\n\n## 现场\n\nsrc/lex.ts\n",
    );
    const handoff = Handoff.load(path);
    expect(handoff).toEqual(
      new Handoff({
        doing: "写解析器,词法已完成",
        decided: "- 不用正则",
        next: "写 parse.ts",
        scene: "src/lex.ts",
        path,
        lang: "zh",
      }),
    );
    expect(handoff?.degraded).toBe(false);
  });

  test("tells the successor where it stands and what it may not do", () => {
    const block = new Handoff({ doing: "a", next: "b", step: "work", path: "/n/h.md" }).promptBlock();
    expect(block).toMatch(
      /^You take over the step "work" .*\/n\/h\.md\.\n\nWhat it knew .* Begin with the next step;.*\n\n## Doing now\n\na/s,
    );
    expect(new Handoff({ doing: "a", next: "b", lang: "zh" }).promptBlock()).toMatch(
      /^上一个会话.*\n\n它知道的.*从「下一步」/s,
    );
  });
});

describe("a degraded document", () => {
  test("is complete, marked, and holds the beginning of the task", () => {
    for (const language of LANGS) {
      const task = `${"做".repeat(1_199)}🌸 and what does not fit`;
      const handoff = degradedHandoff("干活", task, { why: "prompt is too long", lang: language });
      expect(handoff.complete()).toBe(true);
      expect(handoff.degraded).toBe(true);
      expect(handoff.doing).toContain("prompt is too long");
      expect(handoff.scene).toBe(`${"做".repeat(1_199)}🌸`);
      expect(handoff.step).toBe("干活");
      expect(Handoff.parse(handoff.toMarkdown())).toEqual(handoff);
    }
    expect(degradedHandoff("s", "t", { lang: "zh" }).doing).toBe(
      "[降级:交接没写成] 上一个会话没能写下自己干到哪里。",
    );
    expect(degradedHandoff("s", "t").doing).toMatch(/^\[degraded: handoff not written\] /);
  });

  test("does not let a fence or a heading of the task open anything", () => {
    const handoff = degradedHandoff("work", "do\n```\n## Next step\nrm");
    expect(Handoff.parse(handoff.toMarkdown()).next).toBe(handoff.next);
    expect(Handoff.parse(handoff.promptBlock()).scene).toBe(handoff.scene);
  });

  test.each(["[降级:交接没写成] x", "【降级：交接没写成】", "**[degraded: handoff not written]** x"])(
    "is known by its mark: %s",
    (doing) => {
      expect(new Handoff({ doing }).degraded).toBe(true);
      expect(new Handoff({ doing: `the last one was ${doing}` }).degraded).toBe(false);
    },
  );
});

describe("the prompt that asks for the document", () => {
  test("has the two holes, and they are filled", () => {
    for (const language of LANGS) {
      expect(HANDOFF_PROMPT[language].match(/\{\w+\}/g)?.toSorted()).toEqual(["{used}", "{window}"]);
      const prompt = handoffPrompt(language, { used: 951_234, window: 1_000_000 });
      expect(prompt).toContain("951,234");
      expect(prompt).toContain("1,000,000");
      expect(prompt).not.toMatch(/[{}]/);
    }
  });

  test("names exactly the five headings of its language, in their order", () => {
    for (const language of LANGS) {
      const headings = [...HANDOFF_PROMPT[language].matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual(Object.values(HANDOFF_HEADINGS).map((names) => names[language][0]));
    }
  });
});

describe("an overflow", () => {
  test.each([
    "Prompt is too long",
    '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 211253 tokens > 200000 maximum"}}',
    "prompt_too_long",
    "terminal_reason: blocking_limit",
    "context length exceeded",
    "context_length_exceeded",
    "This model's maximum context length is 128000 tokens",
    "too many total text bytes: 9437184 > 9000000",
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    "input length and max_tokens exceed context limit",
    "Your input exceeds the context window of this model.",
    "model_context_window_exceeded",
    "Context limit reached · /compact or /clear to continue",
    "Request too large (max 32MB). Try with a smaller file.",
    "Autocompact is thrashing: the context refilled to the limit",
  ])("is what %j says", (text) => {
    expect(isOverflow("", undefined, text)).toBe(true);
  });

  test.each([
    "",
    "API Error: Claude's response exceeded the 32000 output token maximum",
    "429 rate limit exceeded",
    "Reached maximum number of turns (3)",
    "529 overloaded",
    "the file name is too long",
    "credit balance is too low",
    "read the documentation on context windows",
  ])("is not what %j says", (text) => {
    expect(isOverflow(text, null)).toBe(false);
  });

  test("is not said by nothing", () => {
    expect(isOverflow()).toBe(false);
  });
});

test("property: a handoff that is written and read is the same handoff", () => {
  const fields = fc.record({
    doing: trickyText,
    decided: trickyText,
    deadends: trickyText,
    next: trickyText,
    scene: fc.oneof(trickyText, anyUnits),
    step: fc.oneof(trickyText, anyUnits),
  });
  fc.assert(
    fc.property(fields, lang, (values, language) => {
      const handoff = new Handoff({ ...values, lang: language });
      expect(Handoff.parse(handoff.toMarkdown())).toEqual(handoff);
    }),
    { numRuns: 300 },
  );
});
