import { FlowerError } from "../base/errors.ts";

/**
 * When the CLI may squash its own context. The algorithm lies in the CLI; only whether it runs is ours.
 * `auto`: its own rules; `no_summary`: never by itself; `off`: not even on request.
 */
export interface CompactPolicy {
  readonly mode?: "auto" | "no_summary" | "off";
  /** Tokens at which the CLI's own compaction starts; at least 100,000 for the CLI to honour it. */
  readonly window?: number;
}

/**
 * The environment variables that carry the policy to the CLI. Throws `agent/compact-mode` on an unknown mode,
 * `agent/compact-window` on a window that is no positive whole number.
 */
export function compactEnvironment(policy: CompactPolicy): Record<string, string> {
  const mode = modeEnvironment(policy.mode ?? "auto");
  if (policy.window === undefined) return mode;
  if (!Number.isSafeInteger(policy.window) || policy.window <= 0) {
    throw new FlowerError("agent/compact-window", `a compact window of ${policy.window} tokens cannot be`, {
      hint: "Give a whole number of tokens, for example 150000.",
    });
  }
  return { ...mode, CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(policy.window) };
}

function modeEnvironment(mode: string): Record<string, string> {
  switch (mode) {
    case "auto":
      return {};
    case "no_summary":
      return { DISABLE_AUTO_COMPACT: "1" };
    case "off":
      return { DISABLE_COMPACT: "1" };
    default:
      throw new FlowerError("agent/compact-mode", `unknown compact mode "${mode}"`, {
        hint: 'Use "auto", "no_summary" or "off".',
      });
  }
}
