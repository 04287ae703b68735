import type { AgentSpec, PermissionMode } from "../../agent/spec.ts";
import { FlowerError } from "../../base/errors.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { Runtime } from "../../runtime/runtime.ts";
import type { Context } from "../../workflow/context.ts";
import { Workflow } from "../../workflow/workflow.ts";
import { type GlobalFlags, type SpendFlags, spendOptions } from "../options.ts";
import { runFlow } from "../run-flow.ts";
import { readPiped, type Terminal } from "../terminal.ts";
import { beginningOf } from "./sessions/beginning.ts";

export interface OnceFlags extends GlobalFlags, SpendFlags {
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly resume?: string;
  readonly fork?: boolean;
  /** Uuid of the message to go back to, or the beginning of it; `resume` likewise. */
  readonly at?: string;
  readonly workbench?: boolean;
  readonly trim?: boolean;
}

/** `flower once <prompt>`: one prompt as a single step, with the books and guards of every other step. */
export async function once(
  prompt: string | undefined,
  flags: OnceFlags,
  terminal: Terminal,
): Promise<number> {
  const { resume, at } = beginningOf(flags);
  const said = (prompt ?? (await readPiped(terminal))).trim();
  const runtime = new Runtime({
    workspace: flags.workspace,
    runDir: flags.runDir,
    lang: flags.lang,
    trim: flags.trim ?? false,
    workbench: flags.workbench ?? false,
    ...spendOptions(flags),
  });
  try {
    const say = cliMessages[runtime.lang];
    if (said === "")
      throw new FlowerError("cli/empty-prompt", say.emptyPrompt, { hint: say.emptyPromptHint });
    const context: Context = resume === undefined ? {} : { _sessions: { [RESUMED]: resume } };
    const step = {
      name: "once",
      spec: specOf(flags),
      prompt: said,
      ...(resume === undefined ? {} : { resumeFrom: RESUMED }),
      ...(at === undefined ? {} : { resumeAt: at }),
      fork: flags.fork ?? false,
    };
    const flow = new Workflow([step], { name: "once", continuous: false, context });
    const { exitCode } = await runFlow({ terminal, runtime, flow, verbose: flags.verbose ?? false });
    return exitCode;
  } finally {
    runtime.close();
  }
}

/** The step name under which the session to resume is known; no step can be called that. */
const RESUMED = "_resumed";

function specOf(flags: OnceFlags): AgentSpec {
  return {
    name: "once",
    instructions: flags.instructions ?? "",
    workbench: flags.workbench ?? false,
    ...(flags.tools === undefined ? {} : { allowedTools: flags.tools }),
    ...(flags.permissionMode === undefined ? {} : { permissionMode: flags.permissionMode }),
  };
}
