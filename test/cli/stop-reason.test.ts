import { describe, expect, test } from "vitest";
import { stopReason } from "../../src/cli/stop-reason.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { INTERRUPTED } from "../../src/runtime/endings.ts";
import { finish, newDraft, type StepResult } from "../../src/runtime/step-result.ts";
import { type Context, MISSING_KEY, VERDICT_KEY } from "../../src/workflow/context.ts";

const ended = (step: string, rest: Partial<StepResult> = {}): StepResult =>
  finish({ ...newDraft(step, 0), ok: true, ...rest }, 1);

/** A run that stopped at `step`, after which `later` ran (a judge, for instance). */
function stopped(step: StepResult, context: Context, later: readonly StepResult[] = []): string | undefined {
  return stopReason(
    { _failed_at: step.step, _results: { [step.step]: step }, ...context },
    { lang: "en", results: [step, ...later] },
  );
}

const judged = [ended("work·verdict#1")];
const notYet = new Verdict({ state: "not_yet", reason: "the tests fail" });

test("a run that came to its end did not stop", () => {
  expect(stopReason({ [VERDICT_KEY]: notYet }, { lang: "en", results: [] })).toBeUndefined();
});

test("a step that failed tells its own error, whatever was judged before", () => {
  const failed = ended("deploy", { ok: false, error: "no network" });
  expect(stopped(failed, { [VERDICT_KEY]: notYet })).toBe('stopped at "deploy": no network');
  expect(stopped(ended("work", { ok: false, error: INTERRUPTED }), {})).toContain("stopped by you");
});

describe("a step that was not accepted", () => {
  test("tells what the gate said", () => {
    expect(stopped(ended("work"), { _aborted: "the judge could not work" })).toBe(
      'stopped at "work": the judge could not work',
    );
  });

  test("tells what the brief lacks", () => {
    expect(stopped(ended("clarify"), { [MISSING_KEY]: ["Goal"] })).toContain("missing: Goal");
  });

  test("tells the verdict when it was the judged one", () => {
    expect(stopped(ended("work"), { [VERDICT_KEY]: notYet }, judged)).toBe(
      "stopped: the goal is not achieved. the tests fail",
    );
  });

  test("is named when its gate gave no reason", () => {
    expect(stopped(ended("goal"), {})).toBe('stopped: what step "goal" handed in was not accepted');
  });

  test("does not borrow the verdict on an earlier step", () => {
    const accepted = new Verdict({ state: "unreachable", reason: "no printer here" });
    for (const verdict of [accepted, new Verdict({ state: "achieved", reason: "all good" })]) {
      expect(stopped(ended("publish"), { [VERDICT_KEY]: verdict })).toBe(
        'stopped: what step "publish" handed in was not accepted',
      );
    }
  });

  test("says that no round was left when the human has answered the judge since", () => {
    const verdict = new Verdict({ state: "unreachable", reason: "no printer here" });
    expect(stopped(ended("work"), { [VERDICT_KEY]: verdict, _decision: "print to a file" }, judged)).toBe(
      "stopped: no round was left after your answer; the same command goes on from here",
    );
  });
});
