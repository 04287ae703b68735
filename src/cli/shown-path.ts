import { plainText } from "../base/text.ts";

/**
 * A path as it may be printed. One with characters in it that a terminal would act on, or not show, is quoted as in
 * JSON, so that it can be recognised; every other path is printed as it is.
 */
export function shownPath(path: string): string {
  return isVisible(path) ? path : `"${escaped(path)}"`;
}

/** A path as it can be pasted into a shell. */
export function shellWord(path: string): string {
  if (/^[\w@%+=:,./-]+$/.test(path)) return path;
  if (isVisible(path)) return `'${path.replaceAll("'", "'\\''")}'`;
  // As bash, zsh and ksh read it.
  return `$'${escaped(path).replaceAll("'", "\\'")}'`;
}

/**
 * `text` in which every part of a path among `typed`, the words of the command line, can be recognised: messages name
 * paths raw.
 */
export function recognisable(text: string, typed: readonly string[]): string {
  const parts = typed.flatMap((word) => word.split(/[/=]/)).filter((part) => !isVisible(part));
  return parts.reduce((shown, part) => shown.replaceAll(part, () => escaped(part)), text);
}

function isVisible(text: string): boolean {
  return !text.includes("\n") && !text.includes("\t") && plainText(text) === text;
}

/** `text` between the quotes of JSON, with an escape for each unit that is not printed as a sign of its own. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
      sign.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );
}
