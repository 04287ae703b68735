import { cliMessages } from "../lang/messages/cli.ts";
import { INTERRUPTED, KILLED } from "../runtime/endings.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Step } from "../workflow/step.ts";
import { dollars, type RenderOptions, renderNote } from "./render.ts";

/**
 * Makes the line that is printed when a step has ended. Its cost and turns are those of everything since the last such
 * line: rounds, retries and verdicts have none of their own. Contract: the costs as they are printed add up to the
 * total as it is printed.
 */
export function stepLines(
  runtime: Pick<Runtime, "results" | "totalCost">,
  render: RenderOptions,
): (step: Step, result: StepResult, passed: boolean) => string {
  const say = cliMessages[render.lang];
  let told = 0;
  let toldUsd = shownUsd(runtime.totalCost());
  return (step, result, passed) => {
    const rows = runtime.results.slice(told);
    const totalUsd = shownUsd(runtime.totalCost());
    const turns = rows.reduce((sum, row) => sum + row.numTurns, 0);
    const rounds = rows.filter(
      (row) => row.step === step.name || row.step.startsWith(`${step.name}#`),
    ).length;
    const spent = say.spent(dollars(totalUsd - toldUsd), turns);
    told = runtime.results.length;
    toldUsd = totalUsd;
    const end = `${endOf(step, { result, passed, rounds }, render)} · ${spent}`;
    return renderNote(passed ? "ok" : "failed", end, render);
  };
}

function endOf(
  step: Step,
  end: { readonly result: StepResult; readonly passed: boolean; readonly rounds: number },
  { lang }: RenderOptions,
): string {
  const say = cliMessages[lang];
  const { error, ok } = end.result;
  if (end.passed) return say.stepDone(step.name, end.rounds);
  if (ok) return say.stepRejected(step.name, end.rounds);
  if (error === INTERRUPTED || error === KILLED) return say.stepBrokenOff(step.name);
  // A workflow that stops here says why in its last line.
  return say.stepFailed(step.name, (step.onFail ?? "stop") === "stop" ? "" : (error ?? ""));
}

/** As `dollars` shows it: sums are made from these, or the last digit would not add up. */
function shownUsd(usd: number): number {
  return Number(usd.toFixed(4));
}
