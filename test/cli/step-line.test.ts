import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RenderOptions } from "../../src/cli/render.ts";
import { stepLines } from "../../src/cli/step-line.ts";
import { INTERRUPTED } from "../../src/runtime/endings.ts";
import { finish, newDraft, type StepResult } from "../../src/runtime/step-result.ts";
import type { Step } from "../../src/workflow/step.ts";

const render: RenderOptions = { lang: "en", width: 80, colors: false, verbose: false, answerable: false };

const row = (step: string, rest: Partial<StepResult> = {}): StepResult =>
  finish({ ...newDraft(step, 0), ok: true, costUsd: 0.01, numTurns: 1, ...rest }, 1);

const step = (name: string, rest: Partial<Step> = {}): Step => ({
  name,
  spec: { name: "agent", instructions: "" },
  prompt: "",
  ...rest,
});

/** Books to which rows are added, and the lines of the steps they belong to. */
function books(lang: "en" | "zh" = "en") {
  const results: StepResult[] = [];
  const runtime = { results, totalCost: () => results.reduce((sum, { costUsd }) => sum + costUsd, 0) };
  const line = stepLines(runtime, { ...render, lang });
  return {
    runtime,
    end: (ended: Step, rows: readonly StepResult[], passed = true): string => {
      results.push(...rows);
      const own = rows.findLast((one) => one.step.split("#", 1)[0] === ended.name);
      return line(ended, own ?? row(ended.name), passed);
    },
  };
}

describe("the line at the end of a step", () => {
  test("counts rounds, and the turns and the cost of everything since the step before", () => {
    const { end } = books();
    expect(end(step("goal"), [row("goal", { costUsd: 0.5 })])).toBe("+ goal done · $0.5000 · 1 turn");
    const rows = ["work", "work·verdict#1", "work#round2", "work·verdict#2"].map((name) => row(name));
    expect(end(step("work"), rows)).toBe("+ work done in 2 rounds · $0.0400 · 4 turns");
  });

  test("does not say done of what was not accepted", () => {
    expect(books().end(step("goal"), [row("goal")], false)).toBe("x goal not accepted · $0.0100 · 1 turn");
    const rows = [row("确认需求"), row("确认需求#round2")];
    expect(books("zh").end(step("确认需求"), rows, false)).toBe(
      "x 确认需求 2 轮都没有通过 · $0.0200 · 2 个回合",
    );
  });

  test("leaves the error to the last line of the run, unless the run goes on", () => {
    const rows = [row("deploy", { ok: false, error: "no network" })];
    expect(books().end(step("deploy"), rows, false)).toBe("x deploy failed · $0.0100 · 1 turn");
    expect(books().end(step("deploy", { onFail: "skip" }), rows, false)).toBe(
      "x deploy failed: no network · $0.0100 · 1 turn",
    );
    const left = [row("deploy", { ok: false, error: INTERRUPTED })];
    expect(books().end(step("deploy"), left, false)).toBe("x deploy broken off · $0.0100 · 1 turn");
  });
});

test("the costs as printed add up to the total as printed, to the last digit", () => {
  const cents = (text: string): number => Math.round(Number(/\$(\d+\.\d{4})/.exec(text)?.[1]) * 10_000);
  const costs = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(costs, (usd) => {
      const { end, runtime } = books();
      const lines = usd.map((costUsd, index) => end(step(`s${index}`), [row(`s${index}`, { costUsd })]));
      expect(lines.reduce((sum, line) => sum + cents(line), 0)).toBe(
        cents(`$${runtime.totalCost().toFixed(4)}`),
      );
    }),
  );
});
