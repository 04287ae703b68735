import { errorText } from "../base/errors.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { KILLED } from "../runtime/endings.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { joinSentences } from "./sentences.ts";
import { EXIT } from "./signals.ts";

/** How a run is left before its end. */
export interface Departure {
  /** Aborts when somebody leaves. */
  readonly signal: AbortSignal;
  /** What the process ends with; undefined as long as nobody leaves. */
  readonly exitCode: number | undefined;
  /**
   * Writes the books, ends what runs, says so. Never throws. Called again, by somebody who does not want to wait for
   * that, it ends the process at once; a hang-up is never impatient, since terminals send several.
   */
  leave(exitCode: number): void;
}

export function createDeparture(options: {
  readonly runtime: Pick<Runtime, "rescue" | "lang">;
  readonly tell: (text: string) => void;
  readonly exitAtOnce: (exitCode: number) => void;
  /** The same command goes on where this run is left. */
  readonly continuous: boolean;
}): Departure {
  const { runtime, tell } = options;
  const say = cliMessages[runtime.lang];
  const abort = new AbortController();
  let exitCode: number | undefined;
  return {
    signal: abort.signal,
    get exitCode() {
      return exitCode;
    },
    leave: (code) => {
      if (exitCode !== undefined) {
        if (code !== EXIT.hungUp) options.exitAtOnce(exitCode);
        return;
      }
      exitCode = code;
      const unwritten = rescue(runtime);
      abort.abort(code === EXIT.interrupted ? undefined : KILLED);
      const left = unwritten === undefined ? say.leaving : say.leavingUnwritten(unwritten);
      tell(joinSentences(left, options.continuous ? say.goesOn : undefined));
    },
  };
}

/** Writes the books; returns why they could not be written. */
function rescue(runtime: Pick<Runtime, "rescue">): string | undefined {
  try {
    runtime.rescue();
    return undefined;
  } catch (thrown) {
    return errorText(thrown);
  }
}
