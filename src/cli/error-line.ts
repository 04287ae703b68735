import { errorText, FlowerError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";

/** Anything that was thrown as one clear line: what happened, and what to do about it. */
export function errorLine(thrown: unknown): string {
  const text = oneLine(errorText(thrown));
  if (!(thrown instanceof FlowerError) || thrown.hint === undefined) return `x ${text}`;
  return `x ${asSentence(text)}${oneLine(thrown.hint)}`;
}

/** With a full stop, if it has none, and the space that the language puts after one. */
function asSentence(text: string): string {
  if (/[。!?]$/.test(text)) return text;
  if (/[.!?]$/.test(text)) return `${text} `;
  return /\p{Script=Han}/u.test(text) ? `${text}。` : `${text}. `;
}
