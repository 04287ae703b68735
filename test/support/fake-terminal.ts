import { PassThrough } from "node:stream";
import type { Terminal } from "../../src/cli/terminal.ts";

/** A terminal with a person at it: what is typed goes in as keys, what is printed can be waited for. */
export interface FakeTerminal extends Terminal {
  readonly output: PassThrough & { readonly isTTY: boolean; readonly columns: number };
  readonly shown: string;
  readonly complained: string;
  /** Types the text; `enter`, `ctrlC` and `ctrlD` below are keys, of which a terminal makes a signal and an end. */
  type(...keys: readonly string[]): void;
  /** Ctrl-C for a second time: later than what counts as an echo of the first. */
  typeCtrlCAgain(): Promise<void>;
  /** Resolves when `text` has been printed `times` times. */
  shows(text: string, times?: number): Promise<void>;
}

export const KEYS = { enter: "\n", ctrlC: "\u0003", ctrlD: "\u0004" } as const;

/** `outputIsTTY: false` is `flower x | tee log`: keys still come from a person, in whole lines. */
export function fakeTerminal({ outputIsTTY = true } = {}): FakeTerminal {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: outputIsTTY, columns: 110 });
  const errors = new PassThrough();
  let shown = "";
  let complained = "";
  const watchers = new Set<() => void>();
  output.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    for (const watch of watchers) watch();
  });
  errors.setEncoding("utf8").on("data", (text: string) => {
    complained += text;
  });
  return {
    input,
    output,
    errors,
    get shown() {
      return shown;
    },
    get complained() {
      return complained;
    },
    type: (...keys) => {
      for (const key of keys) {
        if (key === KEYS.ctrlC) process.emit("SIGINT");
        else if (key === KEYS.ctrlD) input.end();
        else input.write(key);
      }
    },
    typeCtrlCAgain: async () => {
      await new Promise((later) => setTimeout(later, 300));
      process.emit("SIGINT");
    },
    shows: (text, times = 1) =>
      new Promise((found) => {
        const watch = (): void => {
          if (shown.split(text).length <= times) return;
          watchers.delete(watch);
          found();
        };
        watchers.add(watch);
        watch();
      }),
  };
}
