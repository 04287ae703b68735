import { errorText, hintOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { joinSentences } from "./sentences.ts";
import { recognisable } from "./shown-path.ts";

/**
 * Anything that was thrown as one clear line: what happened, and what to do about it. `typed` are the words of the
 * command line: a path among them stays recognisable, whatever characters it has.
 */
export function errorLine(thrown: unknown, typed: readonly string[] = []): string {
  const text = oneLine(recognisable(errorText(thrown), typed));
  const hint = hintOf(thrown);
  return `x ${joinSentences(text, hint === undefined ? undefined : oneLine(recognisable(hint, typed)))}`;
}
