import { describe, expect, test } from "vitest";
import { type Ended, stopReason } from "../../src/cli/stop-reason.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { PROMPTS } from "../../src/lang/prompts.ts";
import { INTERRUPTED } from "../../src/runtime/endings.ts";
import { finish, newDraft, type StepResult } from "../../src/runtime/step-result.ts";
import { type Context, MISSING_KEY, VERDICT_KEY } from "../../src/workflow/context.ts";

const ended = (step: string, rest: Partial<StepResult> = {}): StepResult =>
  finish({ ...newDraft(step, 0), ok: true, ...rest }, 1);

const environment = {
  env: { ANTHROPIC_AUTH_TOKEN: "token-of-a-person-1234567890" },
  origin: { ANTHROPIC_AUTH_TOKEN: "/home/user/shop/.env" },
  notices: [],
};

/** A run that stopped at `step`, after which `later` ran (a judge, for instance). */
function stopped(
  step: StepResult,
  context: Context,
  rest: Partial<Omit<Ended, "context" | "runtime">> & {
    readonly later?: readonly StepResult[];
    readonly lang?: "en" | "zh";
  } = {},
): string | undefined {
  const { later = [], lang = "en", ...more } = rest;
  return stopReason({
    context: { _failed_at: step.step, _results: { [step.step]: step }, ...context },
    runtime: { lang, results: [step, ...later], environment },
    continuous: true,
    ...more,
  });
}

const later = [ended("work·verdict#1")];
const notYet = new Verdict({ state: "not_yet", reason: "the tests fail" });
const GOES_ON = "The same command goes on from here.";

test("a run that came to its end did not stop", () => {
  const runtime: Ended["runtime"] = { lang: "en", results: [], environment };
  expect(stopReason({ context: { [VERDICT_KEY]: notYet }, runtime, continuous: true })).toBeUndefined();
});

test("a step that failed tells its own error and what to do, whatever was judged before", () => {
  const failed = ended("deploy", { ok: false, error: "no network" });
  expect(stopped(failed, { [VERDICT_KEY]: notYet })).toBe(`stopped at "deploy": no network. ${GOES_ON}`);
  expect(stopped(failed, {}, { lang: "zh" })).toBe("停在「deploy」:no network。同样的命令会从这里接上。");
  expect(stopped(ended("work", { ok: false, error: INTERRUPTED }), {})).toBe(`stopped by you. ${GOES_ON}`);
});

test("a command that begins anew each time is not said to go on", () => {
  const failed = ended("once", { ok: false, error: "no network" });
  expect(stopped(failed, {}, { continuous: false })).toBe('stopped at "once": no network');
});

describe("credentials that were refused", () => {
  const errors = [
    "Invalid API key · Fix external API key",
    "API Error: 401 invalid x-api-key",
    'Failed to authenticate. API Error: 401 {"type":"error","error":{"type":"authentication_error"}}',
  ];

  test.each(errors)("are told with where they came from and where they are looked up: %s", (error) => {
    const line = stopped(ended("clarify", { ok: false, error }), {}) ?? "";
    for (const word of [
      "ANTHROPIC_AUTH_TOKEN from /home/user/shop/.env",
      "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN",
      "$FLOWER_ENV",
      "./.env",
      "~/.config/flower/.env",
      GOES_ON,
    ]) {
      expect(line).toContain(word);
    }
    expect(line).not.toContain("1234567890");
  });

  test("are told as well when it was the judge that met them", () => {
    const aborted = "the judge could not do its work: Invalid API key";
    expect(stopped(ended("work"), { _aborted: aborted })).toContain("ANTHROPIC_AUTH_TOKEN from");
  });

  test("are not blamed for another failure", () => {
    for (const error of ["stopped after 4010 tokens", "API Error: 529 overloaded", "no port 4401"])
      expect(stopped(ended("work", { ok: false, error }), {})).not.toContain("credentials");
  });
});

describe("a step that was not accepted", () => {
  test("tells what the gate said", () => {
    expect(stopped(ended("work"), { _aborted: "the judge could not work" })).toBe(
      `stopped at "work": the judge could not work. ${GOES_ON}`,
    );
  });

  test("tells what the brief lacks", () => {
    expect(stopped(ended("clarify"), { [MISSING_KEY]: ["Goal", "Boundaries"] })).toBe(
      `stopped: the brief is not complete (missing: Goal, Boundaries). ${GOES_ON}`,
    );
    expect(stopped(ended("确认需求"), { [MISSING_KEY]: ["目标", "边界"] }, { lang: "zh" })).toBe(
      "已停:需求还不完整(缺:目标、边界)。同样的命令会从这里接上。",
    );
  });

  test("tells what another document lacks, when somebody knows that", () => {
    const goal = ended("goal", { closing: "## Goal\nA till" });
    const lacks = ({ closing }: StepResult) => (closing === goal.closing ? ["Checklist"] : []);
    expect(stopped(goal, {}, { lacks })).toBe(
      `stopped: what "goal" handed in is not complete (missing: Checklist). ${GOES_ON}`,
    );
  });

  test("tells the verdict when it was the judged one", () => {
    expect(stopped(ended("work"), { [VERDICT_KEY]: notYet }, { later })).toBe(
      `stopped: the goal is not achieved. the tests fail. ${GOES_ON}`,
    );
    const contradiction = new Verdict({ state: "achieved", reason: "all good", failed: ["npm test"] });
    expect(stopped(ended("work"), { [VERDICT_KEY]: contradiction }, { later })).toBe(
      `stopped: the goal is not achieved. npm test. ${GOES_ON}`,
    );
  });

  test.each(["en", "zh"] as const)("keeps what is meant for the model from the human (%s)", (lang) => {
    const { defaultReason } = PROMPTS[lang];
    const verdict = new Verdict({
      reason: `${defaultReason}\n\nLooks fine,\nI guess.${" Yes.".repeat(200)}`,
    });
    const line = stopped(ended("work"), { [VERDICT_KEY]: verdict }, { later, lang }) ?? "";
    expect(line).not.toContain(defaultReason);
    expect(line).toContain("Looks fine, I guess.");
    expect(line.length).toBeLessThan(350);
    const silent = new Verdict({ reason: defaultReason });
    expect(stopped(ended("work"), { [VERDICT_KEY]: silent }, { later, lang })).toBe(
      lang === "en"
        ? `stopped: the judge gave no clear conclusion, and that never counts as achieved. ${GOES_ON}`
        : "已停:判定者没有给出明确的结论,这绝不算达成。同样的命令会从这里接上。",
    );
  });

  test("is named when its gate gave no reason", () => {
    expect(stopped(ended("goal"), {})).toBe(
      `stopped: what step "goal" handed in was not accepted. ${GOES_ON}`,
    );
  });

  test("does not borrow the verdict on an earlier step", () => {
    const accepted = new Verdict({ state: "unreachable", reason: "no printer here" });
    for (const verdict of [accepted, new Verdict({ state: "achieved", reason: "all good" })]) {
      expect(stopped(ended("publish"), { [VERDICT_KEY]: verdict })).toContain(
        'what step "publish" handed in was not accepted',
      );
    }
  });

  test("says that no round was left when the human has answered the judge since", () => {
    const verdict = new Verdict({ state: "unreachable", reason: "no printer here" });
    const context = { [VERDICT_KEY]: verdict, _decision: "print to a file" };
    expect(stopped(ended("work"), context, { later })).toBe(
      `stopped: no round was left after your answer. ${GOES_ON}`,
    );
  });
});
