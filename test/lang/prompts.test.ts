import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Lang } from "../../src/lang/lang.ts";
import { CLARIFY_RESUME, INTERRUPT_NOTE, PROMPTS } from "../../src/lang/prompts.ts";

const LANGUAGES: readonly Lang[] = ["zh", "en"];

/** Every line that is not a quotation: what flower itself says. */
function ownLines(prompt: string): readonly string[] {
  return prompt.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => !line.startsWith(">"));
}

describe.each(LANGUAGES)("prompts in %s", (lang) => {
  const prompts = PROMPTS[lang];

  test("quote the user's sentence line by line", () => {
    expect(prompts.clarifyPrompt({ ask: " make a clock\r\n\r\n## Goal\nnone " })).toContain(
      "\n\n> make a clock\n>\n> ## Goal\n> none\n\n",
    );
  });

  test("whatever a human, a command or an event says, no line of it leaves the quotation", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("```", "## Goal", "> ", "</system>", "a\u2028b", "c\rd", "e\u0085f"),
    );
    const text = fc.array(line, { minLength: 1 }).map((lines) => `x${lines.join("\n")}`);
    fc.assert(
      fc.property(text, (said) => {
        const pairs = [
          [prompts.clarifyPrompt({ ask: said }), prompts.clarifyPrompt({ ask: "x" })],
          [prompts.workResume({ ask: said }), prompts.workResume({ ask: "x" })],
          [prompts.humanDecided({ words: said }), prompts.humanDecided({ words: "x" })],
          [
            prompts.verifyPrompt({ goal: "g", round: 1, evidence: said }),
            prompts.verifyPrompt({ goal: "g", round: 1, evidence: "x" }),
          ],
          [
            prompts.oraclePrompt({ question: said, events: [said] }),
            prompts.oraclePrompt({ question: "x", events: ["x"] }),
          ],
        ];
        for (const [prompt = "", plain = ""] of pairs) expect(ownLines(prompt)).toEqual(ownLines(plain));
      }),
    );
  });

  test("name the sections that the brief misses, or none when nobody knows which", () => {
    const written = prompts.clarifyWritten({ path: "/notes/b.md", written: "## Goal\nx" });
    expect(written).toContain("/notes/b.md");
    expect(written).toContain("> ## Goal\n> x");
    const missing = prompts.clarifyResume({ missing: ["A-section", "B-section"] });
    expect(missing).toMatch(/A-section(, |、)B-section/);
    expect(prompts.clarifyResume({ missing: [] })).toBe(CLARIFY_RESUME[lang]);
    expect(CLARIFY_RESUME[lang]).not.toBe(missing);
  });

  test("give the judge the brief, and then the goal, the round and what flower's own commands showed", () => {
    expect(prompts.goalPrompt({ brief: "## Goal\nA clock." })).toContain("\n\n## Goal\nA clock.\n\n");
    const verify = prompts.verifyPrompt({ goal: "- it ticks", round: 2, evidence: "run: npm test\nexit 1" });
    expect(verify).toContain("\n\n- it ticks\n\n");
    expect(verify).toMatch(lang === "en" ? /round 2/ : /第 2 轮/);
    expect(verify).toContain("> run: npm test\n> exit 1");
    expect(prompts.verifyPrompt({ goal: "g", round: 1 })).not.toContain("> ");
  });

  test("start the coordinator with the brief, the goal it is judged by, and the workbench's place", () => {
    const full = prompts.workPrompt({ brief: "BRIEF", goal: "GOAL", workbench: "/w/.flower" });
    expect(full.indexOf("BRIEF")).toBeLessThan(full.indexOf("GOAL"));
    expect(full).toContain("/w/.flower");
    expect(prompts.workPrompt({ brief: "BRIEF" }).split("\n\n")).toHaveLength(2);
  });

  test("let a human's new words go before everything else on a wake, and say nothing of them without any", () => {
    const precedence = lang === "en" ? "take precedence over the brief" : "优先于需求";
    expect(prompts.workResume({ ask: "use sqlite", goal: "- it ticks" })).toContain(precedence);
    expect(prompts.workResume({ ask: "use sqlite" })).toContain("\n\n> use sqlite\n\n");
    expect(prompts.workResume({ goal: "- it ticks" })).toContain("- it ticks");
    expect(prompts.workResume({})).not.toContain(precedence);
    expect(prompts.workResume({ ask: "  " })).toBe(prompts.workResume({}));
  });

  test("name the workers that were cut off, with the tool that goes on with them", () => {
    const text = prompts.unfinishedWorkers({ workers: [{ id: "a1b2", role: "coder" }] });
    expect(text).toContain("SendMessage");
    expect(text).toMatch(/^- coder.*a1b2$/m);
  });

  test("tell the human why the goal is unreachable, what failed, and offer three different ways", () => {
    const question = prompts.unreachableQuestion({
      reason: "no display",
      failed: ["window opens\n(seen: none)", ""],
    });
    expect(question).toContain("no display");
    expect(question).toMatch(/^- window opens \(seen: none\)$/m);
    expect(question.match(/^- /gm)).toHaveLength(1);
    expect(prompts.unreachableQuestion({ reason: "", failed: [] }).split("\n\n")).toHaveLength(2);
    expect(new Set(Object.values(prompts.unreachableOptions)).size).toBe(3);
  });

  test("say in an abort why it stopped", () => {
    expect(prompts.abortUnreachable({ reason: "no display" })).toContain("no display");
    expect(prompts.abortUnreachable({ reason: "" })).not.toContain("\n");
    expect(prompts.abortNoRuntime).not.toBe("");
  });

  test("put the events before the question, and say so when there are none", () => {
    const prompt = prompts.oraclePrompt({ question: "how far?", events: ["step one", "step two"] });
    expect(prompt).toContain("> step one\n> step two");
    expect(prompt.indexOf("step two")).toBeLessThan(prompt.indexOf("> how far?"));
    expect(prompts.oraclePrompt({ question: "how far?", events: [] }).match(/^>/gm)).toHaveLength(1);
  });
});

describe("notes to the model", () => {
  test("an interrupted call is explained as a side effect, not as a fault of the environment", () => {
    expect(INTERRUPT_NOTE.en).toContain("a side effect of the interruption, not a fault of the environment");
    expect(INTERRUPT_NOTE.zh).toContain("这是打断的副作用，不是环境出了故障");
  });

  test("an unreadable verdict never counts as achieved", () => {
    expect(PROMPTS.en.defaultReason).toContain("never counts as achieved");
    expect(PROMPTS.zh.defaultReason).toContain("绝不算达成");
  });
});
