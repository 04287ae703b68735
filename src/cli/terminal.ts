import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Where the command reads and writes; a test gives its own. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: Writable;
}

export function isInteractive(terminal: Terminal): boolean {
  return terminal.input.isTTY === true && terminal.output.isTTY === true;
}

export function printLine(terminal: Terminal, line: string): void {
  terminal.output.write(`${line}\n`);
}

/** Everything that is piped in, trimmed; empty at a terminal, where nobody has piped anything. */
export async function readPiped(terminal: Terminal): Promise<string> {
  if (terminal.input.isTTY === true) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** Lines typed by a person, until closed. `onInterrupt` is a Ctrl-C at the prompt. */
export function readLines(
  terminal: Terminal,
  handlers: { onLine: (line: string) => void; onInterrupt: () => void },
): Interface {
  const lines = createInterface({ input: terminal.input, output: terminal.output, prompt: "" });
  lines.on("line", handlers.onLine);
  lines.on("SIGINT", handlers.onInterrupt);
  return lines;
}
