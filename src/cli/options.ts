import { InvalidArgumentError } from "commander";
import type { Lang } from "../lang/lang.ts";
import { isLang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { sessionsMessages } from "../lang/messages/sessions.ts";
import { ageMs } from "./commands/sessions/figures.ts";

/** Flags that mean the same on every subcommand. */
export interface GlobalFlags {
  readonly workspace: string;
  readonly runDir?: string;
  readonly verbose?: boolean;
  readonly lang?: Lang;
}

/** A flag of every subcommand whose steps are claimed for one flower at a time. */
export interface ForceFlag {
  /** Take over steps of a flower on another machine, whose end cannot be seen from here. */
  readonly force?: boolean;
}

/** Flags of every subcommand that talks to a model of somebody who is paid. */
export interface SpendFlags {
  /** US dollars. */
  readonly budget?: number;
  /** False with `--no-gateway`. */
  readonly gateway?: boolean;
}

/** The same as options of a runtime. */
export function spendOptions(flags: SpendFlags): { budgetUsd: number | null; gateway: boolean } {
  return { budgetUsd: flags.budget ?? null, gateway: flags.gateway ?? true };
}

/** Parsers of flag values: a value that makes no sense is a usage error that says what would. */
export interface ValueParsers {
  readonly lang: (value: string) => Lang;
  readonly directory: (value: string) => string;
  readonly count: (least: number) => (value: string) => number;
  readonly integer: (value: string) => number;
  readonly seconds: (value: string) => number | null;
  readonly dollars: (value: string) => number;
  readonly list: (value: string) => readonly string[];
  /** Milliseconds. */
  readonly age: (value: string) => number;
}

export function valueParsers(lang: Lang): ValueParsers {
  const say = cliMessages[lang];
  const bad = (value: string, wanted: string): never => {
    throw new InvalidArgumentError(say.badValue(value, wanted));
  };
  return {
    lang: (value) => (isLang(value) ? value : bad(value, say.langChoice)),
    // An empty one would mean the current directory, and a shell makes one out of every variable that is not set.
    directory: (value) => (value === "" ? bad(value, say.directoryPath) : value),
    count: (least) => (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && Number.isSafeInteger(number) && number >= least
        ? number
        : bad(value, say.wholeAtLeast(least));
    },
    integer: (value) => {
      const number = Number(value);
      return /^-?\d+$/.test(value) && Number.isSafeInteger(number) ? number : bad(value, say.wholeNumber);
    },
    seconds: (value) => {
      if (value === "none") return null;
      return /^\d+(\.\d+)?$/.test(value) && Number.isSafeInteger(Math.round(Number(value) * 1000))
        ? Number(value)
        : bad(value, say.secondsOrNone);
    },
    dollars: (value) => {
      const number = Number(value.replace(/^\$/, ""));
      return /^\$?\d+(\.\d+)?$/.test(value) && number > 0 && Number.isFinite(number)
        ? number
        : bad(value, say.amountAboveZero);
    },
    list: (value) =>
      value
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    age: (value) => ageMs(value) ?? bad(value, sessionsMessages[lang].age),
  };
}
