import type { QueryOutcome } from "../agent/query-outcome.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { DEFAULT_BASE_URL } from "../config/env.ts";
import { rememberWindow } from "../config/window.ts";
import type { RuntimeParts } from "./parts.ts";

/** The API names the window (`210000 tokens > 200000 maximum`), and the CLI passes it on (`limit 200000`, 2.1.332). */
const MAXIMUM = /\d tokens (?:> |\(limit )(\d{4,})/;

/**
 * Remembers the window that an overflow has shown, for this endpoint and model, so that the next run hands over
 * before it overflows. Only what the API says counts: the tokens so far would make one huge result a tiny window.
 */
export function learnWindow(parts: RuntimeParts, spec: AgentSpec, outcome: QueryOutcome): void {
  const model = spec.model ?? parts.env["ANTHROPIC_MODEL"];
  const said = [outcome.error ?? "", ...outcome.errors].map((text) => MAXIMUM.exec(text)?.[1]).find(Boolean);
  if (model === undefined || said === undefined) return;
  const baseUrl = parts.env["ANTHROPIC_BASE_URL"] ?? DEFAULT_BASE_URL;
  rememberWindow({ env: parts.env, baseUrl, model, tokens: Number(said) }, parts.clock);
}
