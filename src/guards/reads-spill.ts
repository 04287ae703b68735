import { resolve } from "node:path";
import { realPath } from "../base/real-path.ts";
import { isInside } from "../workbench/is-inside.ts";
import type { ToolCall } from "./tool-call.ts";

/**
 * True for a call that only reads spilled files back: without letting it through, "read it with Read" would be an
 * empty promise, since what comes back would be spilled again. A Read of such a file, or a Bash command that is
 * nothing but one `cat`, `head`, `tail` or `sed -n` over such files.
 *
 * Paths are compared with links resolved. A wrong "no" costs one more pointer; a wrong "yes" lets a long text in.
 */
export function readsSpill(call: ToolCall, directories: readonly string[], workspace: string): boolean {
  const paths = pathsRead(call);
  if (paths === undefined || paths.length === 0) return false;
  const roots = directories.map(realPath);
  return paths.every((path) => {
    const real = realPath(resolve(call.cwd ?? workspace, path));
    return roots.some((root) => real !== root && isInside(root, real));
  });
}

function pathsRead(call: ToolCall): readonly string[] | undefined {
  if (call.tool === "Read") {
    const path = call.input.file_path;
    return typeof path === "string" ? [path] : undefined;
  }
  if (call.tool === "Bash") {
    const command = call.input.command;
    return typeof command === "string" ? filesShown(command) : undefined;
  }
  return undefined;
}

/** The files that a plain display command shows, or undefined for any other command. */
export function filesShown(command: string): readonly string[] | undefined {
  const [verb = "", ...words] = plainWords(command) ?? [];
  switch (verb) {
    case "cat":
      return files(words, /^-[AbeEnsTtuv]+$/);
    case "head":
    case "tail":
      return files(withoutCount(words), /^(?:-[nc]?[+-]?\d+|-[qv])$/);
    case "sed":
      return words[0] === "-n" && /^\d+(?:,(?:\d+|\$))?p$/.test(words[1] ?? "") ? words.slice(2) : undefined;
    default:
      return undefined;
  }
}

/** `-n 20` as one word, `-n20`. */
function withoutCount(words: readonly string[]): readonly string[] {
  const [flag, count, ...rest] = words;
  const takesCount = (flag === "-n" || flag === "-c") && /^[+-]?\d+$/.test(count ?? "");
  return takesCount ? [`${flag}${count}`, ...rest] : words;
}

function files(words: readonly string[], option: RegExp): readonly string[] | undefined {
  const named = words.filter((word) => !option.test(word));
  return named.some((word) => word.startsWith("-")) ? undefined : named;
}

/** One shell word: bare characters without a meaning to the shell, or one quoted piece without an expansion. */
const WORD = /(?:'([^'\n]*)'|"([^"$`\\!\n]*)"|([\p{L}\p{N}_./,:+@%=-]+))(?=[ \t]|$)/uy;

/** The words of a command that has no shell syntax at all, or undefined. */
function plainWords(command: string): readonly string[] | undefined {
  const text = command.trim();
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const found = WORD.exec(text);
    if (found === null) return undefined;
    words.push(found[1] ?? found[2] ?? found[3] ?? "");
    at = WORD.lastIndex;
    while (text[at] === " " || text[at] === "\t") at += 1;
  }
  return words;
}
