import { describe, expect, test } from "vitest";
import { wantsIsolation } from "../../src/guards/isolation.ts";
import { WORKER_RULES } from "../../src/lang/rules/worker-rules.ts";
import { worker } from "../../src/roles/worker.ts";

describe("worker", () => {
  test("has by default every tool that work takes, the coordinator's model, and no field more", () => {
    expect(worker("Writes code.", "You write code.", { maxTurns: undefined })).toEqual({
      description: "Writes code.",
      prompt: `You write code.\n\n${WORKER_RULES.en}`,
      tools: ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"],
      model: "inherit",
    });
    expect(Object.keys(worker("d", "p", { maxTurns: undefined })).sort()).toEqual([
      "description",
      "model",
      "prompt",
      "tools",
    ]);
  });

  test("cannot start workers of its own", () => {
    expect(worker("d", "p").tools).not.toContain("Agent");
  });

  test("takes a list of tools as complete, and does not share it", () => {
    const tools = ["Read"];
    const made = worker("d", "p", { tools });
    expect(made.tools).toEqual(["Read"]);
    expect(made.tools).not.toBe(tools);
    expect(worker("d", "p").tools).not.toBe(worker("d", "p").tools);
    expect(worker("d", "p", { tools: [] }).tools).toEqual([]);
  });

  test("hands every option on", () => {
    const given = {
      model: "haiku",
      effort: 3,
      maxTurns: 9,
      permissionMode: "acceptEdits",
      skills: ["pdf"],
    } as const;
    expect(worker("d", "p", given)).toMatchObject({ ...given, skills: ["pdf"] });
  });

  test.each(["zh", "en"] as const)("appends the rules in the directory's language (%s)", (lang) => {
    expect(worker("d", "Craft.", { lang }).prompt).toBe(`Craft.\n\n${WORKER_RULES[lang]}`);
  });

  test("without discipline is its prompt alone", () => {
    expect(worker("d", "Craft.", { discipline: false }).prompt).toBe("Craft.");
  });

  test("carries the mark of isolation through a spread only when asked for, and never into JSON", () => {
    const marked = worker("d", "p", { isolate: true });
    expect(wantsIsolation(marked)).toBe(true);
    expect(wantsIsolation({ ...marked, model: "opus" })).toBe(true);
    expect(wantsIsolation(worker("d", "p"))).toBe(false);
    expect(JSON.stringify(marked)).toBe(JSON.stringify(worker("d", "p")));
  });
});
