import { firstCodePoints, oneLine } from "../base/text.ts";
import { isEphemeral } from "../shell/is-ephemeral.ts";
import { isArchivedText } from "./archived-text.ts";
import { codePoints } from "./code-points.ts";
import type { ResolvedEphemeralPolicy } from "./policies.ts";
import { mayBeReplaced, recentResultIds } from "./recent.ts";
import { rewriteCopy } from "./tool-use-result.ts";
import {
  answeredId,
  answeredIdsOf,
  isApiError,
  mapBlocks,
  messageIdOf,
  resultText,
  type ToolUse,
  toolUsesById,
  withResultText,
} from "./transcript.ts";
import type { SessionStoreEntry } from "./types.ts";

export interface ExpireReport {
  /** Results whose text was replaced. */
  readonly expired: number;
}

/** Characters of the command that the replacement quotes. */
const QUOTED_COMMAND_CHARS = 120;

/**
 * Replaces what glances at the world once showed (`git status`, `ls`, `ps`): short, so trimming never gets them,
 * but an old one misleads. Not archived, since running the command again is better than reading what was.
 *
 * Only Bash, only results in words, only calls that ran; a Read is what the model reasoned from and stays.
 * Contract: pure; never mutates; blocks stay, only their text changes; doing it twice changes nothing.
 */
export function expire(
  entries: readonly SessionStoreEntry[],
  policy: ResolvedEphemeralPolicy,
): { readonly entries: readonly SessionStoreEntry[]; readonly report: ExpireReport } {
  const uses = toolUsesById(entries);
  const recent = recentResultIds(entries, policy.keepRecent);
  const alreadyExpired = expiredPattern(policy.text);
  const roundsAfter = countRoundsAfter(entries);
  let expired = 0;
  const next = entries.map((entry, index) => {
    if (!mayBeReplaced(entry)) return entry;
    const texts: string[] = [];
    const rewritten = mapBlocks(entry, (block) => {
      const use = uses.get(answeredId(block) ?? "");
      if (use === undefined || recent.has(use.id)) return block;
      const before = resultText(block);
      if (before === "" || codePoints(before) > policy.maxChars) return block;
      // Last what costs most: it reads the command.
      if (alreadyExpired.test(before) || isArchivedText(before) || !isGlance(use)) return block;
      expired += 1;
      const text = fillIn(policy.text, { cmd: quoted(use), age: roundsAfter[index] ?? 0 });
      texts.push(text);
      return withResultText(block, text);
    });
    const [text] = texts;
    return text === undefined || answeredIdsOf(entry).length > 1 ? rewritten : expireCopy(rewritten, text);
  });
  return { entries: expired === 0 ? entries : next, report: { expired } };
}

/** A background call has no output yet, only the number of its task: that does not fade. */
function isGlance(use: ToolUse): boolean {
  if (use.name !== "Bash" || use.input.run_in_background === true) return false;
  const command = use.input.command;
  return typeof command === "string" && isEphemeral(command);
}

function quoted(use: ToolUse): string {
  const line = oneLine(String(use.input.command));
  const cut = firstCodePoints(line, QUOTED_COMMAND_CHARS);
  return cut === line ? line : `${cut}…`;
}

function fillIn(template: string, values: { readonly cmd: string; readonly age: number }): string {
  return template.replaceAll(/\{(cmd|age)\}/g, (_, name: string) =>
    name === "cmd" ? values.cmd : String(values.age),
  );
}

/** Matches what `fillIn` makes of this template. */
function expiredPattern(template: string): RegExp {
  const source = template
    .split(/(\{cmd\}|\{age\})/)
    .map((part) => {
      if (part === "{cmd}") return "[^\\n]*";
      if (part === "{age}") return "\\d+";
      return part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "u");
}

/** For each entry, how many messages of the model came after it: a round is one answer of the model. */
function countRoundsAfter(entries: readonly SessionStoreEntry[]): readonly number[] {
  const seen = new Set<string>();
  let rounds = 0;
  const upTo = entries.map((entry) => {
    if (entry.type !== "assistant" || isApiError(entry)) return rounds;
    const id = messageIdOf(entry);
    if (id === undefined || !seen.has(id)) rounds += 1;
    if (id !== undefined) seen.add(id);
    return rounds;
  });
  return upTo.map((count) => rounds - count);
}

function expireCopy(entry: SessionStoreEntry, text: string): SessionStoreEntry {
  return rewriteCopy(entry, (value, field) => {
    if (value === "") return value;
    if (field === "stderr") return "";
    return field === undefined || field === "stdout" ? text : value;
  });
}
