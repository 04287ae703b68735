import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { CommanderError } from "commander";
import { z } from "zod";
import { armFaultPoint } from "../base/fault-point.ts";
import { packageRoot } from "../base/package-root.ts";
import { FAULT_VARIABLE, processEnv, valueOf } from "../config/env.ts";
import { detectLang } from "../config/language.ts";
import { isLang, type Lang } from "../lang/lang.ts";
import { errorLine } from "./error-line.ts";
import { buildProgram, exitCodeOf } from "./program.ts";
import { EXIT } from "./signals.ts";
import { printError, type Terminal, watchOutput } from "./terminal.ts";

/** Runs one command line and returns its exit code; everything that goes wrong is one clear line on stderr. */
async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.done;
  // To the end of the process: output that nobody reads any more is no reason to crash.
  watchOutput(terminal, () => undefined);
  try {
    armFaultPoint(valueOf(processEnv(), FAULT_VARIABLE));
    const program = buildProgram({
      lang: helpLang(argv),
      version: packageVersion(),
      terminal,
      setExit: (code) => {
        exitCode = code;
      },
    });
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return exitCodeOf(thrown);
    printError(terminal, errorLine(thrown, argv));
    return EXIT.stopped;
  }
}

/** Help is shown before anything is parsed, so its language is looked up by itself. */
function helpLang(argv: readonly string[]): Lang {
  const at = argv.indexOf("--lang");
  const given =
    at === -1 ? argv.find((arg) => arg.startsWith("--lang="))?.slice("--lang=".length) : argv[at + 1];
  return isLang(given) ? given : detectLang(processEnv());
}

function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/**
 * Puts the null device in the place of a terminal that is gone: Node 20 resets its terminals on exit, and aborts
 * when one of them is not there any more.
 */
function letGoOfTerminal(): void {
  for (const fd of [0, 1, 2]) {
    closeSync(fd);
    // The lowest free number is the one that was just closed.
    openSync(devNull, "r+");
  }
}

/** Runs the command line that this process was started with; its exit code becomes the process's. */
export async function runCommand(): Promise<void> {
  const exitCode = await main(process.argv.slice(2), {
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
  });
  if (exitCode === EXIT.hungUp && process.stdin.isTTY) letGoOfTerminal();
  process.exitCode = exitCode;
}
