import { firstCodePoints, oneLine } from "../base/text.ts";
import { PROCESS_ORIGIN, SECRET_KEYS } from "../config/credential-keys.ts";
import { valueOf } from "../config/env.ts";
import type { Verdict } from "../documents/verdict.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { PROMPTS } from "../lang/prompts.ts";
import { INTERRUPTED } from "../runtime/endings.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { type Context, MISSING_KEY, VERDICT_KEY } from "../workflow/context.ts";
import { joinSentences } from "./sentences.ts";
import { shownPath } from "./shown-path.ts";

/** A workflow that has ended, and what its last line depends on. */
export interface Ended {
  readonly context: Context;
  readonly runtime: Pick<Runtime, "lang" | "results" | "environment">;
  /** The same command goes on where this run stopped. */
  readonly continuous: boolean;
  /** Names of the sections that the document a step handed in lacks. Default: nothing is known about it. */
  readonly lacks?: ((rejected: StepResult) => readonly string[]) | undefined;
}

/** Why the workflow ended early and what can be done, in one line; undefined when it did not end early. */
export function stopReason(ended: Ended): string | undefined {
  const failed = ended.context._failed_at;
  if (failed === undefined) return undefined;
  const say = cliMessages[ended.runtime.lang];
  const why = oneLine(reasonOf(ended, failed));
  const todo = REFUSED.test(why) ? say.credentialsRefused(secretsInUse(ended)) : undefined;
  return joinSentences(why, todo, ended.continuous ? say.goesOn : undefined);
}

function reasonOf(ended: Ended, failed: string): string {
  const { context, runtime } = ended;
  const say = cliMessages[runtime.lang];
  const result = context._results?.[failed];
  if (context._aborted !== undefined) return say.stopStep(failed, context._aborted);
  if (result?.error === INTERRUPTED) return say.stopInterrupted;
  if (result !== undefined && !result.ok) return say.stopStep(failed, result.error ?? result.text);
  const missing = context[MISSING_KEY];
  if (missing !== undefined) return say.stopClarify(missing);
  const lacks = result === undefined ? [] : (ended.lacks?.(result) ?? []);
  if (lacks.length > 0) return say.stopIncomplete(failed, lacks);
  return verdictReason(ended, result) ?? say.stopGate(failed);
}

/** What the judge of the failed step said; undefined when no judge was asked about it. */
function verdictReason({ context, runtime }: Ended, failed: StepResult | undefined): string | undefined {
  const say = cliMessages[runtime.lang];
  const verdict = context[VERDICT_KEY];
  // A judge runs after the work it judges: when nothing ran after it, the verdict is that of an earlier step.
  if (verdict === undefined || verdict.achieved || runtime.results.at(-1) === failed) return undefined;
  // The human has answered the judge since, for the sake of a next round.
  if (context._decision !== undefined) return say.stopDecided;
  if (!verdict.ok) return say.stopUnreadable(judgesWords(verdict, runtime));
  // A judge that says "achieved" and names failed checks has given no reason for what counts.
  const reason = verdict.state === "achieved" ? verdict.failed.join("; ") : verdict.reason;
  return joinSentences(say.stopVerdict, reason);
}

/** As much as makes clear what kind of answer it was; the whole is in the manifest. */
const MAX_QUOTE_CHARS = 200;

/** What the judge itself said, without what the model is told about it. */
function judgesWords({ reason }: Verdict, { lang }: Pick<Runtime, "lang">): string {
  const words = oneLine(reason.replace(PROMPTS[lang].defaultReason, ""));
  const shown = firstCodePoints(words, MAX_QUOTE_CHARS);
  return shown === words ? words : `${shown}…`;
}

/** How the endpoint or the CLI says that the credentials are not accepted. */
const REFUSED =
  /invalid (?:api key|auth token|x-api-key)|authentication_error|\bunauthori[sz]ed\b|\b401\b|not logged in|\/login\b|oauth token (?:has )?(?:been )?(?:expired|revoked)/i;

/** The secrets that may have been sent, each with where it came from. */
function secretsInUse({ runtime: { environment, lang } }: Ended): readonly string[] {
  const held = SECRET_KEYS.filter((key) => valueOf(environment.env, key) !== undefined);
  return held.map((key) => {
    const origin = environment.origin[key] ?? PROCESS_ORIGIN;
    const from = origin === PROCESS_ORIGIN ? CONFIG_MESSAGES[lang].processOrigin : shownPath(origin);
    return cliMessages[lang].keyFrom(key, from);
  });
}
