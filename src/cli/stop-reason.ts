import { cliMessages } from "../lang/messages/cli.ts";
import { INTERRUPTED } from "../runtime/endings.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { type Context, MISSING_KEY, VERDICT_KEY } from "../workflow/context.ts";

/** Why the workflow ended early, in one line; undefined when it did not. */
export function stopReason(context: Context, runtime: Pick<Runtime, "lang" | "results">): string | undefined {
  const say = cliMessages[runtime.lang];
  const failed = context._failed_at;
  if (failed === undefined) return undefined;
  const result = context._results?.[failed];
  if (context._aborted !== undefined) return say.stopStep(failed, context._aborted);
  if (result?.error === INTERRUPTED) return say.stopInterrupted;
  if (result !== undefined && !result.ok) return say.stopStep(failed, result.error ?? result.text);
  const missing = context[MISSING_KEY];
  if (missing !== undefined) return say.stopClarify(missing.join(", "));
  return verdictReason(context, runtime, result) ?? say.stopGate(failed);
}

/** What the judge of the failed step said; undefined when no judge was asked about it, or gave no reason. */
function verdictReason(
  context: Context,
  { lang, results }: Pick<Runtime, "lang" | "results">,
  failed: StepResult | undefined,
): string | undefined {
  const say = cliMessages[lang];
  const verdict = context[VERDICT_KEY];
  // A judge runs after the work it judges: when nothing ran after it, the verdict is that of an earlier step.
  if (verdict === undefined || verdict.achieved || results.at(-1) === failed) return undefined;
  // The human has answered the judge since, for the sake of a next round.
  if (context._decision !== undefined) return say.stopDecided;
  return verdict.reason === "" ? undefined : say.stopVerdict(verdict.reason);
}
