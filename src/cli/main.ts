#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { z } from "zod";
import { errorText, FlowerError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { processEnv } from "../config/env.ts";
import { detectLang } from "../config/language.ts";
import { isLang, type Lang } from "../lang/lang.ts";
import { buildProgram, exitCodeOf } from "./program.ts";
import { EXIT } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/** Runs one command line and returns its exit code; everything that goes wrong is one clear line on stderr. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.done;
  try {
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
    terminal.errors.write(`${errorLine(thrown)}\n`);
    return EXIT.stopped;
  }
}

function errorLine(thrown: unknown): string {
  const hint = thrown instanceof FlowerError && thrown.hint !== undefined ? ` ${thrown.hint}` : "";
  return `x ${oneLine(`${errorText(thrown)}.${hint}`.replace("..", "."))}`;
}

/** Help is shown before anything is parsed, so its language is looked up by itself. */
function helpLang(argv: readonly string[]): Lang {
  const at = argv.indexOf("--lang");
  const given =
    at === -1 ? argv.find((arg) => arg.startsWith("--lang="))?.slice("--lang=".length) : argv[at + 1];
  return isLang(given) ? given : detectLang(processEnv());
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

process.exitCode = await main(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});
