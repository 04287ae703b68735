import type { HumanChannel } from "../human/human-channel.ts";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isInteractive, readLines, type Terminal } from "./terminal.ts";

/** The person at the terminal: their lines are answers, words for the inbox, or what an interrupt says. */
export interface Person {
  /** Asks what should change; the next line interrupts. False: nobody is there, or they were asked already. */
  interrupt(): boolean;
  close(): void;
}

/**
 * Listens to the terminal. With a question pending a line answers it (a number picks the option, an empty line
 * skips); otherwise it goes to the inbox. Somebody who is not at a terminal says nothing; somebody who ends the
 * input (Ctrl-D) has left, and what the models ask from then on is theirs to decide.
 */
export function listenToPerson(options: {
  readonly terminal: Terminal;
  readonly runtime: Pick<Runtime, "interrupt">;
  readonly channel: HumanChannel | undefined;
  readonly lang: Lang;
  readonly tell: (text: string) => void;
}): Person {
  const { terminal, runtime, channel, tell } = options;
  const say = cliMessages[options.lang];
  let listening = isInteractive(terminal);
  let interrupting = false;

  const send = (words: string): void => {
    if (channel?.send(words) === undefined) tell(say.nobodyReads);
  };
  const interruptWith = (words: string): void => {
    interrupting = false;
    // No turn may be running just now (a judge's question, a wait for the network): words are never lost.
    if (words !== "" && !runtime.interrupt(words)) send(words);
  };
  const onLine = (line: string): void => {
    const said = line.trim();
    const question = channel?.pending()[0];
    if (interrupting) interruptWith(said);
    else if (question !== undefined) channel?.answer(question.id, said);
    else if (said !== "") send(said);
  };
  const onClose = (): void => {
    if (!listening) return;
    listening = false;
    tell(say.inputEnded);
    channel?.close();
  };
  const lines = listening ? readLines(terminal, { onLine, onClose }) : undefined;
  return {
    interrupt: () => {
      if (!listening || interrupting) return false;
      interrupting = true;
      tell(say.interruptPrompt);
      return true;
    },
    close: () => {
      listening = false;
      lines?.close();
    },
  };
}
