import { Command, type CommanderError, Option } from "commander";
import type { Lang } from "../lang/lang.ts";
import { cliMessages } from "../lang/messages/cli.ts";
import { type DemoFlags, demo } from "./commands/demo.ts";
import { type GoFlags, go } from "./commands/go.ts";
import { type OnceFlags, once } from "./commands/once.ts";
import { type RunFlags, run } from "./commands/run.ts";
import { helpConfiguration, helpFooter } from "./help.ts";
import { type GlobalFlags, valueParsers } from "./options.ts";
import { lineWidth } from "./render.ts";
import { EXIT } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { usageErrorLine } from "./usage-error.ts";

const PERMISSION_MODES = ["default", "acceptEdits", "plan", "dontAsk"] as const;

/** Subcommands to come: such a word alone is meant as a command, and nobody wants it clarified and built. */
const RESERVED = ["setup", "status", "log", "doctor", "sessions", "worktrees", "report"];

/** The command line as commander knows it. Each action leaves its exit code in `setExit`. */
export function buildProgram(options: {
  readonly lang: Lang;
  readonly version: string;
  readonly terminal: Terminal;
  readonly setExit: (code: number) => void;
}): Command {
  const { terminal, setExit, lang } = options;
  const say = cliMessages[lang];
  const parse = valueParsers(lang);
  const width = lineWidth(terminal.output.columns);
  const program = new Command("flower")
    .description(say.summary)
    .version(options.version, "--version", say.optionVersion)
    .helpOption("-h, --help", say.optionHelp)
    .helpCommand(false)
    .option("-w, --workspace <dir>", say.optionWorkspace, parse.directory, ".")
    .option("-r, --run-dir <dir>", say.optionRunDir, parse.directory)
    .option("-v, --verbose", say.optionVerbose)
    .option("--lang <lang>", say.optionLang, parse.lang)
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
    .option("--rounds <n>", say.optionRounds, parse.count(1))
    .option("--asks <n>", say.optionAsks, parse.integer)
    .option("--timeout <seconds>", say.optionTimeout, parse.seconds)
    .option("--no-goal", say.optionNoGoal)
    .option("--judge-can-run", say.optionJudgeCanRun)
    .option("--clarify-only", say.optionClarifyOnly)
    .option("--new", say.optionNew)
    .option("--isolate", say.optionIsolate)
    .option("--window <tokens>", say.optionWindow, parse.count(1))
    .option("--no-handoff", say.optionNoHandoff)
    .option("--no-trim", say.optionNoTrim)
    .option("--force", say.optionForce)
    .action(async (ask: string | undefined, _flags: object, command: Command) => {
      const word = ask?.trim() ?? "";
      if (RESERVED.includes(word)) command.error(say.notYet(word));
      setExit(await go(ask, command.optsWithGlobals<GoFlags & GlobalFlags>(), terminal));
    });

  program
    .command("once")
    .description(say.onceSummary)
    .argument("[prompt]", say.promptArgument)
    .option("-i, --instructions <text>", say.optionInstructions)
    .option("-t, --tools <list>", say.optionTools, parse.list)
    .addOption(new Option("-p, --permission-mode <mode>", say.optionPermission).choices(PERMISSION_MODES))
    .option("--resume <session>", say.optionResume)
    .option("--fork", say.optionFork)
    .option("-W, --workbench", say.optionWorkbench)
    .option("-T, --trim", say.optionTrim)
    .action(async (prompt: string | undefined, _flags: object, command: Command) => {
      const flags = command.optsWithGlobals<OnceFlags & GlobalFlags>();
      if (flags.fork && flags.resume === undefined) command.error(say.forkNeedsResume);
      setExit(await once(prompt, flags, terminal));
    });

  program
    .command("run")
    .description(say.runSummary)
    .argument("<target>", say.targetArgument)
    .option("-W, --workbench", say.optionWorkbench)
    .option("-T, --trim", say.optionTrim)
    .option("--force", say.optionForce)
    .action(async (target: string, _flags: object, command: Command) => {
      setExit(await run(target, command.optsWithGlobals<RunFlags & GlobalFlags>(), terminal));
    });

  program
    .command("demo")
    .description(say.demoSummary)
    .option("--dir <dir>", say.optionDir, parse.directory)
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
