import type { HumanChannel } from "../human/human-channel.ts";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { isInteractive, printLine, readLines, type Terminal } from "./terminal.ts";

/** The person at the terminal: their lines are answers, words for the inbox, or what an interrupt should say. */
export interface Person {
  /** The next line is said to the model as the words of an interrupt. */
  awaitWords(say: (words: string) => void): void;
  readonly awaitsWords: boolean;
  close(): void;
}

/**
 * Listens to the terminal. With a question pending a line answers it (a number picks the option, an empty line
 * skips); otherwise it goes to the inbox. Somebody who is not at a terminal says nothing.
 */
export function listenToPerson(options: {
  terminal: Terminal;
  channel: HumanChannel | undefined;
  lang: Lang;
  onInterrupt: () => void;
}): Person {
  let sayWords: ((words: string) => void) | undefined;
  const { terminal, channel, lang } = options;
  const onLine = (line: string): void => {
    if (sayWords !== undefined) {
      const say = sayWords;
      sayWords = undefined;
      say(line.trim());
      return;
    }
    const question = channel?.pending()[0];
    if (channel === undefined) return;
    if (question === undefined) {
      if (line.trim() !== "") channel.send(line.trim());
    } else if (line.trim() === "") channel.decline(question.id);
    else channel.answer(question.id, line.trim());
  };
  const lines = isInteractive(terminal)
    ? readLines(terminal, { onLine, onInterrupt: options.onInterrupt })
    : undefined;
  return {
    awaitWords: (say) => {
      sayWords = say;
      printLine(terminal, cliMessages[lang].interruptPrompt);
    },
    get awaitsWords() {
      return sayWords !== undefined;
    },
    close: () => lines?.close(),
  };
}
