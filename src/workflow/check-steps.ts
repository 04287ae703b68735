import { FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import type { Step } from "./step.ts";

/**
 * Throws when a list of steps cannot be meant, before anything is spent: `workflow/bad-step-name`,
 * `workflow/duplicate-step`, `workflow/bad-retries`, `workflow/needs-resume`, `workflow/no-session`. `known` are names
 * whose sessions are there already.
 */
export function checkSteps(steps: readonly Step[], known: readonly string[], lang: Lang): void {
  const say = workflowMessages[lang];
  const earlier = new Set(known);
  const seen = new Set<string>();
  for (const { name, fork, resumeAt, resumeFrom, retries = 0 } of steps) {
    if (!isStepName(name)) {
      throw new FlowerError("workflow/bad-step-name", say.badStepName(name), { hint: say.badStepNameHint });
    }
    if (seen.has(name)) {
      throw new FlowerError("workflow/duplicate-step", say.duplicateStep(name), {
        hint: say.duplicateStepHint,
      });
    }
    if (!isRetries(retries)) {
      throw new FlowerError("workflow/bad-retries", say.badRetries(name, String(retries)), {
        hint: say.badRetriesHint,
      });
    }
    // Only `resumeFrom` names a session to begin in: without it these would do nothing, and say nothing.
    const lonely = fork === true ? "fork" : resumeAt === undefined ? undefined : "resumeAt";
    if (lonely !== undefined && resumeFrom === undefined) {
      throw new FlowerError("workflow/needs-resume", say.needsResume(name, lonely), {
        hint: say.needsResumeHint,
      });
    }
    if (resumeFrom !== undefined && !earlier.has(resumeFrom)) {
      throw new FlowerError("workflow/no-session", say.noSession(name, resumeFrom), {
        hint: say.noSessionHint,
      });
    }
    earlier.add(name);
    seen.add(name);
  }
}

/** `Infinity` may be meant: until it passes, or somebody ends it. */
function isRetries(retries: number): boolean {
  return retries === Number.POSITIVE_INFINITY || (Number.isSafeInteger(retries) && retries >= 0);
}

/** Names are keys of the context, where `_` is flower's own, of the lineage, and of rows that add `#round2`. */
function isStepName(name: string): boolean {
  return name.trim() !== "" && !name.startsWith("_") && !name.includes("#") && !(name in Object.prototype);
}
