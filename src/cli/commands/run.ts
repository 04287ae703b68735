import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText, FlowerError } from "../../base/errors.ts";
import type { Lang } from "../../lang/lang.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { Runtime } from "../../runtime/runtime.ts";
import { wakeState } from "../../workflow/wake-state.ts";
import { Workflow } from "../../workflow/workflow.ts";
import { type ForceFlag, type GlobalFlags, type SpendFlags, spendOptions } from "../options.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../shown-path.ts";
import type { Terminal } from "../terminal.ts";

export interface RunFlags extends GlobalFlags, ForceFlag, SpendFlags {
  readonly workbench?: boolean;
  readonly trim?: boolean;
}

/** `flower run file.ts:export`: a workflow of the user's own; a function is called for it. */
export async function run(target: string, flags: RunFlags, terminal: Terminal): Promise<number> {
  const flow = await loadWorkflow(target, flags);
  const runtime = new Runtime({
    workspace: flags.workspace,
    runDir: flags.runDir,
    lang: flags.lang,
    trim: flags.trim ?? false,
    workbench: flow.workbench ?? flags.workbench ?? false,
    ...spendOptions(flags),
  });
  try {
    const { exitCode } = await runFlow({
      terminal,
      runtime,
      flow,
      verbose: flags.verbose ?? false,
      force: flags.force,
    });
    return exitCode;
  } finally {
    runtime.close();
  }
}

async function loadWorkflow(target: string, flags: RunFlags): Promise<Workflow> {
  const { lang } = wakeState(flags.workspace, { runDir: flags.runDir, lang: flags.lang });
  const say = cliMessages[lang];
  const { specifier, name } = splitTarget(target);
  const exports = await importTarget(specifier, lang);
  const exported = exports[name];
  const made: unknown =
    typeof exported === "function"
      ? await exported({ workspace: flags.workspace, runDir: flags.runDir })
      : exported;
  if (isWorkflow(made)) return made;
  throw new FlowerError("cli/not-a-workflow", say.notAWorkflow(shownPath(target)), {
    hint: say.notAWorkflowHint,
  });
}

/** `path/to/file.ts:name` or `module:name`; without a name the default export. A drive letter is no name. */
function splitTarget(target: string): { specifier: string; name: string } {
  const colon = target.lastIndexOf(":");
  if (colon <= 1 || /[/\\]/.test(target.slice(colon))) return { specifier: target, name: "default" };
  return { specifier: target.slice(0, colon), name: target.slice(colon + 1) };
}

async function importTarget(specifier: string, lang: Lang): Promise<Readonly<Record<string, unknown>>> {
  const say = cliMessages[lang];
  const file = fileOf(specifier);
  if (file === undefined) {
    throw new FlowerError("cli/no-such-target", say.noSuchTarget(shownPath(specifier)), {
      hint: say.noModuleHint,
    });
  }
  try {
    // Node 20 runs no TypeScript; loaded only when somebody's workflow is written in it.
    const { tsImport } = await import("tsx/esm/api");
    const loaded: unknown = await tsImport(pathToFileURL(file).href, import.meta.url);
    return exportsOf(loaded);
  } catch (thrown) {
    // What CommonJS adds is a list of files that says nothing to whoever typed the command.
    const [why = ""] = errorText(thrown).split("\nRequire stack:");
    throw new FlowerError("cli/cannot-load", say.noModule(shownPath(specifier), why), { cause: thrown });
  }
}

/** The path as it was typed, else the file of an installed module; undefined when there is neither. */
function fileOf(specifier: string): string | undefined {
  const file = resolve(specifier);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  try {
    // Looked up from the directory the command was typed in.
    return createRequire(join(resolve("."), "flower.cjs")).resolve(specifier);
  } catch {
    return undefined;
  }
}

/** Without a `package.json` that says otherwise a file is CommonJS, and all its exports lie below `default`. */
function exportsOf(loaded: unknown): Readonly<Record<string, unknown>> {
  if (typeof loaded !== "object" || loaded === null) return {};
  const below: unknown = "default" in loaded ? loaded.default : undefined;
  const isCommonJs = typeof below === "object" && below !== null && "__esModule" in below;
  return isCommonJs ? { ...below } : { ...loaded };
}

/** Also one made by another copy of this package. */
function isWorkflow(made: unknown): made is Workflow {
  if (made instanceof Workflow) return true;
  return (
    typeof made === "object" &&
    made !== null &&
    "steps" in made &&
    Array.isArray(made.steps) &&
    "run" in made &&
    typeof made.run === "function"
  );
}
