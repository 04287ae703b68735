/**
 * When the CLI may squash its own context. The algorithm lies in the CLI; only whether it runs is ours.
 * `auto`: its own rules; `no_summary`: never by itself; `off`: not even on request.
 */
export interface CompactPolicy {
  readonly mode?: "auto" | "no_summary" | "off";
  /** Tokens at which the CLI's own compaction starts; at least 100,000 for the CLI to honour it. */
  readonly window?: number;
}
