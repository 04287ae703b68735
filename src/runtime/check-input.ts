import { compactEnvironment } from "../agent/compact-policy.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { FlowerError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { PROCESS_ORIGIN } from "../config/credential-keys.ts";
import { valueOf } from "../config/env.ts";
import type { LoadedEnvironment } from "../config/load-environment.ts";
import type { Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { runtimeInputMessages } from "../lang/messages/runtime-input.ts";
import { endpoint } from "../resilience/endpoint.ts";

/** A number that must be a whole one. */
export interface Count {
  readonly field: string;
  readonly value: number;
  readonly least: number;
  /** Default `runtime/bad-limit`. */
  readonly code?: string;
  /** Default: correct it. */
  readonly hint?: string;
}

/** Throws `runtime/bad-limit`, or the code given, unless the number is a whole one of at least `least`. */
export function requireCount({ field, value, least, code, hint }: Count, lang: Lang): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  const say = runtimeInputMessages[lang];
  throw new FlowerError(code ?? "runtime/bad-limit", say.notWhole(field, String(value), least), {
    hint: hint ?? say.limitHint,
  });
}

/** Where a run of a step is to begin; see `RunOptions`. */
interface Beginning {
  readonly resume?: string | undefined;
  readonly fork?: boolean | undefined;
  readonly resumeAt?: string | undefined;
  readonly cwd?: string | undefined;
}

/**
 * Throws what makes a run of a step impossible, before anything is written or spent: `agent/needs-resume`,
 * `runtime/copy-cannot-resume`,
 * `agent/compact-mode`, `agent/compact-window`, `runtime/bad-limit`.
 */
export function checkRun(spec: AgentSpec, { resume, fork, resumeAt, cwd }: Beginning, lang: Lang): void {
  const say = runtimeInputMessages[lang];
  const lonely = fork ? "fork" : resumeAt === undefined ? undefined : "resumeAt";
  if (resume === undefined && lonely !== undefined) {
    throw new FlowerError("agent/needs-resume", say.needsResume(lonely), { hint: say.needsResumeHint });
  }
  if (resume !== undefined && cwd !== undefined) {
    throw new FlowerError("runtime/copy-cannot-resume", say.copyCannotResume, {
      hint: say.copyCannotResumeHint,
    });
  }
  const { name, maxTurns, maxBudgetUsd, compact } = spec;
  if (maxTurns !== undefined) requireCount({ field: `${name}: maxTurns`, value: maxTurns, least: 1 }, lang);
  if (maxBudgetUsd !== undefined && !(maxBudgetUsd > 0)) {
    throw new FlowerError(
      "runtime/bad-limit",
      say.notDollars(`${name}: maxBudgetUsd`, String(maxBudgetUsd)),
      {
        hint: say.limitHint,
      },
    );
  }
  compactEnvironment(compact ?? {});
}

/** For a `resumeAt` that the session does not hold: the CLI would fail on it again and again. */
export function unknownMessage(sessionId: string, uuid: string, lang: Lang): FlowerError {
  const say = runtimeInputMessages[lang];
  return new FlowerError("runtime/unknown-message", say.unknownMessage(sessionId, uuid), {
    hint: say.unknownMessageHint,
  });
}

/**
 * Throws `resilience/bad-base-url` unless requests can be sent to the base URL of an environment. Names where it came
 * from, and never repeats it: it may hold a password.
 */
export function requireEndpoint(
  { env, origin }: Pick<LoadedEnvironment, "env" | "origin">,
  lang: Lang,
): void {
  const say = runtimeInputMessages[lang];
  const file = origin[BASE_URL] ?? PROCESS_ORIGIN;
  const from = file === PROCESS_ORIGIN ? CONFIG_MESSAGES[lang].processOrigin : oneLine(file);
  try {
    endpoint(env);
  } catch (cause) {
    throw new FlowerError("resilience/bad-base-url", say.badBaseUrl(from), {
      hint: say.badBaseUrlHint,
      cause,
    });
  }
  const { username, password } = new URL(valueOf(env, BASE_URL)?.trim() ?? "http://unset");
  if (username + password === "") return;
  throw new FlowerError("resilience/bad-base-url", say.secretInBaseUrl(from), {
    hint: say.secretInBaseUrlHint,
  });
}

const BASE_URL = "ANTHROPIC_BASE_URL";
