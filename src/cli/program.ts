import { Command, type CommanderError, Option } from "commander";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { cliOptionMessages } from "../lang/messages/cli-options.ts";
import { sessionsMessages } from "../lang/messages/sessions.ts";
import { type DemoFlags, demo } from "./commands/demo.ts";
import { type GoFlags, go } from "./commands/go.ts";
import { type OnceFlags, once } from "./commands/once.ts";
import { type RunFlags, run } from "./commands/run.ts";
import { addSessionsCommand } from "./commands/sessions/register.ts";
import { helpConfiguration, helpFooter } from "./help.ts";
import { type GlobalFlags, valueParsers } from "./options.ts";
import { lineWidth } from "./render.ts";
import { EXIT } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { usageErrorLine } from "./usage-error.ts";

const PERMISSION_MODES = ["default", "acceptEdits", "plan", "dontAsk"] as const;

/** A handoff is never due before (SPEC 7): a smaller number was meant in thousands, or not at all. */
const LEAST_WINDOW_TOKENS = 10_000;

/** Subcommands to come: such a word alone is meant as a command, and nobody wants it clarified and built. */
const RESERVED = ["setup", "status", "log", "doctor", "worktrees", "report"];

/** The command line as commander knows it. Each action leaves its exit code in `setExit`. */
export function buildProgram(options: {
  readonly lang: Lang;
  readonly version: string;
  readonly terminal: Terminal;
  readonly setExit: (code: number) => void;
}): Command {
  const { terminal, setExit, lang } = options;
  const say = cliMessages[lang];
  const help = cliOptionMessages[lang];
  const parse = valueParsers(lang);
  const width = lineWidth(terminal.output.columns);
  const program = new Command("flower")
    .description(say.summary)
    .version(options.version, "--version", help.version)
    .helpOption("-h, --help", help.help)
    .helpCommand(false)
    .option("-w, --workspace <dir>", help.workspace, parse.directory, ".")
    .option("-r, --run-dir <dir>", help.runDir, parse.directory)
    .option("-v, --verbose", help.verbose)
    .option("--lang <lang>", help.lang, parse.lang)
    .configureHelp(helpConfiguration(lang))
    .addHelpText("after", helpFooter(lang, width))
    .configureOutput({
      getOutHelpWidth: () => width,
      outputError: (text, write) => write(`${usageErrorLine(text, lang)}\n`),
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.errors.write(text),
    })
    .exitOverride();

  program
    .command("go", { isDefault: true })
    .description(say.goSummary)
    .argument("[ask]", say.askArgument)
    .option("--rounds <n>", help.rounds, parse.count(1))
    .option("--asks <n>", help.asks, parse.integer)
    .option("--timeout <seconds>", help.timeout, parse.seconds)
    .option("--no-goal", help.noGoal)
    .option("--judge-can-run", help.judgeCanRun)
    .option("--clarify-only", help.clarifyOnly)
    .option("--new", help.new)
    .option("--isolate", help.isolate)
    .option("--window <tokens>", help.window, parse.count(LEAST_WINDOW_TOKENS))
    .option("--no-handoff", help.noHandoff)
    .option("--budget <usd>", help.budget, parse.dollars)
    .option("--no-gateway", help.noGateway)
    .option("--no-trim", help.noTrim)
    .option("--force", help.force)
    .action(async (ask: string | undefined, _flags: object, command: Command) => {
      const word = ask?.trim() ?? "";
      if (RESERVED.includes(word)) command.error(say.notYet(word));
      setExit(await go(ask, command.optsWithGlobals<GoFlags & GlobalFlags>(), terminal));
    });

  program
    .command("once")
    .description(say.onceSummary)
    .argument("[prompt]", say.promptArgument)
    .option("-i, --instructions <text>", help.instructions)
    .option("-t, --tools <list>", help.tools, parse.list)
    .addOption(new Option("-p, --permission-mode <mode>", help.permission).choices(PERMISSION_MODES))
    .option("--resume <session>", help.resume)
    .option("--fork", help.fork)
    .option("--at <message>", sessionsMessages[lang].atOption)
    .option("-W, --workbench", help.workbench)
    .option("-T, --trim", help.trim)
    .option("--budget <usd>", help.budget, parse.dollars)
    .option("--no-gateway", help.noGateway)
    .action(async (prompt: string | undefined, _flags: object, command: Command) => {
      const flags = command.optsWithGlobals<OnceFlags & GlobalFlags>();
      if (flags.fork && flags.resume === undefined) command.error(say.forkNeedsResume);
      if (flags.at !== undefined && flags.resume === undefined)
        command.error(sessionsMessages[lang].atNeedsResume);
      setExit(await once(prompt, flags, terminal));
    });

  program
    .command("run")
    .description(say.runSummary)
    .argument("<target>", say.targetArgument)
    .option("-W, --workbench", help.workbench)
    .option("-T, --trim", help.trim)
    .option("--budget <usd>", help.budget, parse.dollars)
    .option("--no-gateway", help.noGateway)
    .option("--force", help.force)
    .action(async (target: string, _flags: object, command: Command) => {
      setExit(await run(target, command.optsWithGlobals<RunFlags & GlobalFlags>(), terminal));
    });

  addSessionsCommand(program, { lang, terminal, parse, setExit });

  program
    .command("demo")
    .description(say.demoSummary)
    .option("--dir <dir>", help.dir, parse.directory)
    .action(async (_flags: object, command: Command) => {
      for (const [name, flag] of [
        ["workspace", "--workspace"],
        ["runDir", "--run-dir"],
      ] as const) {
        if (program.getOptionValueSource(name) === "cli") command.error(say.notForDemo(flag));
      }
      setExit(await demo(command.optsWithGlobals<DemoFlags & GlobalFlags>(), terminal));
    });
  return program;
}

/** Commander throws for help and version too; those are no failures. */
export function exitCodeOf(thrown: CommanderError): number {
  return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
}
