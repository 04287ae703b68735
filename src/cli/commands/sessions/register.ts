import type { Command } from "commander";
import type { Lang } from "../../../lang/lang.ts";
import { sessionsMessages } from "../../../lang/messages/sessions.ts";
import type { ForceFlag, GlobalFlags, ValueParsers } from "../../options.ts";
import type { Terminal } from "../../terminal.ts";
import { exportSession } from "./export.ts";
import { type GcFlags, gcSessions } from "./gc.ts";
import { importSessions } from "./import.ts";
import { listSessions } from "./list.ts";
import { rmSession } from "./rm.ts";
import { type ShowFlags, showSession } from "./show.ts";

/** Adds `flower sessions` and what is below it. */
export function addSessionsCommand(
  program: Command,
  options: {
    readonly lang: Lang;
    readonly terminal: Terminal;
    readonly parse: ValueParsers;
    readonly setExit: (code: number) => void;
  },
): void {
  const { terminal, parse, setExit } = options;
  const say = sessionsMessages[options.lang];
  const sessions = program.command("sessions").description(say.summary).helpCommand(false);

  sessions
    .command("list", { isDefault: true })
    .description(say.listSummary)
    // A word that is no subcommand comes here as an argument.
    .allowExcessArguments()
    .action((_flags: object, command: Command) => {
      const [word] = command.args;
      if (word !== undefined) command.error(say.unknownCommand(word));
      setExit(listSessions(command.optsWithGlobals<GlobalFlags>(), terminal));
    });

  sessions
    .command("show")
    .description(say.showSummary)
    .argument("<id>", say.idArgument)
    .option("--raw", say.rawOption)
    .action((id: string, _flags: object, command: Command) =>
      setExit(showSession(id, command.optsWithGlobals<ShowFlags>(), terminal)),
    );

  sessions
    .command("export")
    .description(say.exportSummary)
    .argument("<id>", say.idArgument)
    .argument("[dir]", say.dirArgument, parse.directory)
    .action((id: string, directory: string | undefined, _flags: object, command: Command) =>
      setExit(exportSession({ id, directory }, command.optsWithGlobals<GlobalFlags>(), terminal)),
    );

  sessions
    .command("import")
    .description(say.importSummary)
    .argument("<file...>", say.filesArgument)
    .action(async (files: readonly string[], _flags: object, command: Command) =>
      setExit(await importSessions(files, command.optsWithGlobals<GlobalFlags>(), terminal)),
    );

  sessions
    .command("rm")
    .description(say.rmSummary)
    .argument("<id>", say.idArgument)
    .option("--force", say.forceOption)
    .action((id: string, _flags: object, command: Command) =>
      setExit(rmSession(id, command.optsWithGlobals<GlobalFlags & ForceFlag>(), terminal)),
    );

  sessions
    .command("gc")
    .description(say.gcSummary)
    .requiredOption("--older-than <age>", say.olderThanOption, parse.age)
    .option("--dry-run", say.dryRunOption)
    .action((_flags: object, command: Command) =>
      setExit(gcSessions(command.optsWithGlobals<GcFlags>(), terminal)),
    );
}
