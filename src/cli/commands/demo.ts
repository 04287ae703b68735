import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { errorText, FlowerError } from "../../base/errors.ts";
import { homeDirectory, processEnv } from "../../config/env.ts";
import { detectLang } from "../../config/language.ts";
import type { HumanChannel } from "../../human/human-channel.ts";
import type { Lang } from "../../lang/lang.ts";
import { cliMessages } from "../../lang/messages/cli.ts";
import { NAMES } from "../../lang/names.ts";
import { type ScriptedModel, startScriptedModel } from "../../testing/index.ts";
import { wakeState } from "../../workflow/wake-state.ts";
import { demoScenario } from "../demo/scenario.ts";
import { openShop } from "../demo/shop.ts";
import { STORIES } from "../demo/story.ts";
import { dollars, type RenderOptions, renderNote, renderOptionsFor, renderProse } from "../render.ts";
import { shellWord, shownPath } from "../shown-path.ts";
import { EXIT } from "../signals.ts";
import { isInteractive, printLine, type Terminal } from "../terminal.ts";
import { runStarter } from "./go.ts";

export interface DemoFlags {
  readonly dir?: string;
  readonly lang?: Lang;
  readonly verbose?: boolean;
}

/** A known model, so that the CLI speaks to it in a known way and prices it from its list. */
const DEMO_MODEL = "claude-sonnet-4-5";

/** `flower demo`: the whole job on a small repository. The model is scripted, everything else is real. */
export async function demo(flags: DemoFlags, terminal: Terminal): Promise<number> {
  const workspace = flags.dir === undefined ? temporaryDirectory(flags.lang) : resolve(flags.dir);
  const lang = demoLang(workspace, flags.lang);
  const say = cliMessages[lang];
  const render = renderOptionsFor(terminal, lang, flags.verbose ?? false);
  await openShop(workspace, lang);
  const { waking, paths } = wakeState(workspace, { lang });
  const story = STORIES[lang];
  const opening = [say.demoIntro, waking ? say.demoWake : say.demoAsk(story.ask)].join("\n");
  for (const line of renderProse("system", opening, render)) printLine(terminal, line);
  const model = await startScriptedModel(
    demoScenario({ lang, workspace, artifacts: join(paths.workbench, "artifacts") }),
  );
  try {
    const end = await runStarter({
      said: waking ? "" : story.ask,
      starter: { workspace, lang, judgeCanRun: true },
      runtime: {
        workspace,
        lang,
        trim: true,
        dotenv: false,
        env: demoEnvironment(model, join(paths.runDir, "claude")),
      },
      flags,
      terminal,
      ...(isInteractive(terminal)
        ? {}
        : { onChannel: (channel) => answerItself(channel, terminal, render, lang) }),
    });
    if (end.exitCode === EXIT.done)
      tellWhere(workspace, lang, terminal, render, end.context?._runtime?.totalCost() ?? 0);
    return end.exitCode;
  } finally {
    await model.close();
  }
}

/** A new directory for one demo, which is kept: it is where the outcome lies. */
function temporaryDirectory(flag: Lang | undefined): string {
  try {
    return mkdtempSync(join(tmpdir(), "flower-demo-"));
  } catch (thrown) {
    const say = cliMessages[flag ?? detectLang(processEnv())];
    throw new FlowerError("cli/no-temporary-directory", say.demoNoTemporary(errorText(thrown)), {
      hint: say.demoNoTemporaryHint,
      cause: thrown,
    });
  }
}

/** An earlier demo in the directory decides, then the flag, then the terminal; a flag against it is an error. */
function demoLang(workspace: string, flag: Lang | undefined): Lang {
  try {
    return wakeState(workspace, { env: processEnv(), lang: flag }).lang;
  } catch (thrown) {
    if (!(thrown instanceof FlowerError) || thrown.code !== "config/directory-language") throw thrown;
    // What it advises, `--new`, is no option of the demo.
    const present = wakeState(workspace, { env: processEnv() }).lang;
    const hint = cliMessages[present].demoLanguageHint;
    throw new FlowerError(thrown.code, thrown.message, { hint, cause: thrown });
  }
}

/** Beside `PATH` and the home directory all that the demo takes from its surroundings: language, terminal, scratch. */
const INHERITED = [
  "FLOWER_LANG",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
  "TERM",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SystemRoot",
];

/**
 * Everything is named, nothing else inherited: a provider switch, a proxy or a header of the user's would send the
 * demo to a real endpoint, or out into the network.
 */
function demoEnvironment(model: ScriptedModel, configDir: string): Record<string, string> {
  const env = processEnv();
  const inherited = INHERITED.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  return model.env({
    configDir,
    path: env["PATH"] ?? "",
    home: homeDirectory(env),
    extra: { ...Object.fromEntries(inherited), ANTHROPIC_MODEL: DEMO_MODEL },
  });
}

/** Nobody is at the terminal, so the demo plays the human too, and says so. */
function answerItself(channel: HumanChannel, terminal: Terminal, render: RenderOptions, lang: Lang): void {
  const answer = async (): Promise<void> => {
    const ask = await channel.nextAsk();
    if (ask === undefined) return;
    const text = STORIES[lang].answer;
    printLine(terminal, renderNote("ask", cliMessages[lang].demoAnswers(text), render));
    channel.answer(ask.id, text);
  };
  void answer();
}

function tellWhere(
  workspace: string,
  lang: Lang,
  terminal: Terminal,
  render: RenderOptions,
  costUsd: number,
): void {
  const say = cliMessages[lang];
  const { paths } = wakeState(workspace, { lang });
  const word = shellWord(workspace);
  const rows: readonly (readonly [string, string])[] = [
    [paths.brief, say.demoBrief],
    [paths.goal, say.demoGoal],
    [join(paths.notes, NAMES[lang].logFile), say.demoLog],
    [join(paths.runDir, "manifest.json"), say.demoManifest],
    [join(paths.runDir, "lineage.json"), say.demoLineage],
    [join(paths.runDir, "sessions.db"), say.demoSessions],
    // Also the files that are new, which a bare diff leaves out.
    [`git -C ${word} add -N . && git -C ${word} diff`, say.demoDiff],
  ];
  printLine(terminal, renderNote("ok", say.demoDone, render));
  for (const [path, what] of rows)
    printLine(terminal, renderNote("system", `${shownPath(path)}  ${what}`, render));
  for (const line of [say.demoCost(dollars(costUsd)), say.demoAgain(`${demoCommand()} --dir ${word}`)]) {
    printLine(terminal, renderNote("ok", line, render));
  }
}

/** How this demo was started: in a fresh clone there is no `flower` on the path yet. */
function demoCommand(): string {
  return processEnv()["npm_lifecycle_event"] === "demo" ? "npm run demo --" : "flower demo";
}
