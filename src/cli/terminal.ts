import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Where the command reads and writes; a test gives its own. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: Writable;
}

/** Somebody can type: where the output goes (`flower x | tee log`) does not matter for that. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.input.isTTY === true;
}

/** Streams that failed once: whoever read them is gone, and Node's own stdout would fail again at every write. */
const dead = new WeakSet<Writable>();

/**
 * Calls `onGone` when what is printed reaches nobody any more (`flower x | head`, a terminal that was closed), until
 * the returned function is called. Contract: while somebody watches, a failing write does not end the process.
 */
export function watchOutput(terminal: Terminal, onGone: () => void): () => void {
  const streams = [terminal.output, terminal.errors].map((stream) => {
    const onError = (): void => {
      dead.add(stream);
      onGone();
    };
    stream.on("error", onError);
    return { stream, onError };
  });
  return () => {
    for (const { stream, onError } of streams) stream.off("error", onError);
  };
}

export function printLine(terminal: Terminal, line: string): void {
  if (!dead.has(terminal.output)) terminal.output.write(`${line}\n`);
}

export function printError(terminal: Terminal, line: string): void {
  if (!dead.has(terminal.errors)) terminal.errors.write(`${line}\n`);
}

/** Everything that is piped in, trimmed; empty at a terminal, where nobody has piped anything. */
export async function readPiped(terminal: Terminal): Promise<string> {
  if (terminal.input.isTTY === true) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8").trim();
}

export interface LineHandlers {
  readonly onLine: (line: string) => void;
  /** The input has ended (Ctrl-D, a terminal that was closed), or the interface was closed. */
  readonly onClose: () => void;
}

/**
 * Lines typed by a person, until closed. The terminal stays in its own line mode: it edits the line and turns
 * Ctrl-C into a signal, and when it goes away there is no raw mode to be undone (Node 20 aborts over that).
 */
export function readLines({ input }: Terminal, handlers: LineHandlers): Interface {
  const lines = createInterface({ input, terminal: false });
  lines.on("line", handlers.onLine);
  lines.on("close", handlers.onClose);
  // A terminal that was closed fails with EIO: nobody is there any more, which is what an end means.
  lines.on("error", handlers.onClose);
  return lines;
}
