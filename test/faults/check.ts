import { expect } from "vitest";
import { DEFAULT_RESUME_PROMPT } from "../../src/lang/messages/resilience.ts";
import { classify } from "../../src/resilience/classify.ts";
import type { Expected, Trace } from "./matrix.ts";
import { ERROR_TEXT } from "./observe.ts";
import type { Played } from "./play.ts";

/** Holds what a run came to against its line of the matrix. */
export function check(played: Played, expected: Expected, undisturbed: Played): void {
  const { ok, error, attempts } = played.result;
  const ends = ok ? "ok" : { kind: classify(error ?? ""), words: error };
  expect({ told: played.told, attempts, ends }).toEqual({
    told: expected.told,
    attempts: expected.attempts,
    ends:
      expected.ends === "ok"
        ? "ok"
        : { kind: expected.ends.kind, words: expect.stringContaining(expected.ends.words) },
  });
  for (const call of expected.trace === LOST ? [] : played.calls) {
    expect(JSON.stringify(call.request.messages)).not.toMatch(ERROR_TEXT);
  }
  CHECKS[expected.trace](played, undisturbed);
}

const NOTE = "system api_error";
const LOST = "the CLI's words on the end of the subagent";

const CHECKS: Readonly<Record<Trace, (played: Played, undisturbed: Played) => void>> = {
  none: (played, undisturbed) => {
    expect(played.sent).toEqual(undisturbed.sent);
    expect(played.rows).toEqual(undisturbed.rows);
    expect(played.result).toMatchObject({ errors: [], resumed: false, retired: [] });
  },
  "a row that no model reads": (played, undisturbed) => {
    expect(played.sent).toEqual(undisturbed.sent);
    expect(played.rows.stored).toContain(NOTE);
    expect(played.rows.stored.filter((row) => row !== NOTE)).toEqual(undisturbed.rows.stored);
    expect(played.result).toMatchObject({ errors: [], resumed: false, retired: [] });
  },
  "the resume prompt": (played, undisturbed) => {
    expect(played.sent.filter((text) => text.includes(firstLine(DEFAULT_RESUME_PROMPT.en)))).toHaveLength(1);
    expect(withoutPrompts(played)).toEqual(undisturbed.sent);
    expect(played.result).toMatchObject({ resumed: true, retired: [] });
  },
  "a handoff document": (played) => {
    expect(played.result.retired).toHaveLength(1);
    expect(played.sent.join("\n")).toContain("[degraded");
    expect(played.sent.filter((text) => text.startsWith("assistant") && !isFiller(text))).toEqual([]);
  },
  "none, when it goes on": (played, undisturbed) => {
    if (!played.wentOn) return;
    expect(played.sent.at(-1)).toContain("go on");
    expect(withoutPrompts(played)).toEqual(undisturbed.sent);
  },
  "the model's own words": (played, undisturbed) => {
    if (!played.wentOn) return;
    expect(played.sent.at(-1)).toContain("go on");
    expect(played.sent.slice(0, undisturbed.sent.length)).toEqual(undisturbed.sent);
    expect(played.sent.join("\n")).toContain("on and on");
  },
  [LOST]: (played) => {
    expect(played.sent.join("\n")).toContain("Agent terminated early due to an API error");
    expect(played.result).toMatchObject({ retired: [] });
  },
};

/** Without what is said to a session that goes on, and what the CLI puts in the place of the answer that never came. */
function withoutPrompts({ sent }: Played): readonly string[] {
  const prompts = [firstLine(DEFAULT_RESUME_PROMPT.en), '"text":"go on"'];
  return sent.filter((text) => !isFiller(text) && !prompts.some((prompt) => text.includes(prompt)));
}

function isFiller(text: string): boolean {
  return text.startsWith("assistant") && text.includes("No response requested.");
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
