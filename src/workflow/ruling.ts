import type { AgentSpec } from "../agent/spec.ts";
import { systemClock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import { joinParagraphs, plainText } from "../base/text.ts";
import { commandOf } from "../documents/check-command.ts";
import type { Goal } from "../documents/goal.ts";
import { Verdict } from "../documents/verdict.ts";
import { createEvent } from "../events/event.ts";
import type { Lang } from "../lang/lang.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { PROMPTS } from "../lang/prompts.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Context } from "./context.ts";
import { type JudgeRoom, openJudgeRoom } from "./judge-room.ts";
import { COMMAND_LIMIT_MS, type CommandRun, runCommand } from "./run-command.ts";
import { StepAbort } from "./step.ts";

/** Who judges. */
export interface Bench {
  readonly lang: Lang;
  /** Of the judge's rows in the manifest; the round is added. */
  readonly label: string;
  readonly spec: AgentSpec;
}

/** What is judged. */
export interface Hearing {
  readonly runtime: Runtime;
  readonly round: number;
  readonly goal: Goal;
}

/** A command of the checklist, and what became of it. */
interface CheckRun extends CommandRun {
  readonly check: string;
}

/** Paths that are named of a workspace that was changed. */
const PATHS_TOLD = 5;

/**
 * One verdict, in a fresh session: a judge that remembers its last verdict defends it.
 *
 * A judge that may run commands works in a copy of the workspace, where flower has run the commands of the checklist
 * before: one that fails vetoes "achieved". The original must be afterwards what it was before, else the verdict is void
 * and another judge looks, once. Throws `StepAbort` when there can be no verdict: nothing passes unjudged.
 */
export async function rule(bench: Bench, context: Context, hearing: Hearing): Promise<Verdict> {
  if (!(bench.spec.allowedTools ?? []).includes("Bash")) return hear(bench, context, hearing, undefined);
  const say = workflowMessages[bench.lang];
  for (let isLast = false; ; isLast = true) {
    const room = await open(bench, context, hearing.runtime);
    try {
      const verdict = await hear(bench, context, hearing, room);
      const changed = await room.changed();
      if (changed.length === 0) return verdict;
      const text = say.workspaceChanged(named(changed), !isLast);
      context._on_event?.(createEvent("system", { subtype: "judged_changed", paths: changed }, { text }));
      if (isLast) throw new StepAbort(text);
    } finally {
      await room.close();
    }
  }
}

async function open({ lang }: Bench, context: Context, runtime: Runtime): Promise<JudgeRoom> {
  try {
    return await openJudgeRoom(runtime, context._signal);
  } catch (thrown) {
    context._signal?.throwIfAborted();
    throw new StepAbort(workflowMessages[lang].noJudgeRoom(errorText(thrown)));
  }
}

async function hear(
  bench: Bench,
  context: Context,
  { runtime, round, goal }: Hearing,
  room: JudgeRoom | undefined,
): Promise<Verdict> {
  const { lang, label, spec } = bench;
  const ran = room === undefined ? [] : await runCommands(bench, context, { runtime, goal, room });
  const prompt = PROMPTS[lang].verifyPrompt({
    goal: goal.promptBlock(),
    round,
    evidence: ran.length === 0 ? undefined : ran.map((run) => evidenceOf(run, lang)).join("\n\n"),
    inCopy: room !== undefined,
  });
  const result = await runtime.run(spec, prompt, {
    stepName: `${label}#${round}`,
    onEvent: context._on_event,
    signal: context._signal,
    cwd: room?.path,
  });
  // A judge that could not work has not found the work wanting: sending it back would burn a round for nothing.
  if (!result.ok) throw new StepAbort(workflowMessages[lang].judgeFailed(result.error ?? ""));
  const verdict = Verdict.parse(result.closing).with({ lang });
  faultPoint("verdict/read");
  if (!verdict.ok)
    return verdict.with({ reason: joinParagraphs(PROMPTS[lang].defaultReason, verdict.reason) });
  return vetoed(verdict, ran, lang);
}

async function runCommands(
  { lang }: Bench,
  context: Context,
  { runtime, goal, room }: { runtime: Runtime; goal: Goal; room: JudgeRoom },
): Promise<readonly CheckRun[]> {
  const ran: CheckRun[] = [];
  for (const check of goal.checks) {
    const command = commandOf(check);
    if (command === undefined) continue;
    const { env } = runtime.environment;
    const run = await runCommand(command, {
      cwd: room.path,
      env,
      clock: systemClock,
      signal: context._signal,
    });
    ran.push({ ...run, check });
    const { exitCode, timedOut, tookMs } = run;
    const payload = {
      subtype: "check_run",
      command,
      exit_code: exitCode,
      timed_out: timedOut,
      took_ms: tookMs,
    };
    const text = workflowMessages[lang].commandRan(command, outcomeOf(run, lang));
    context._on_event?.(createEvent("system", payload, { text }));
  }
  return ran;
}

/** A failing command decides, whatever the judge says; a passing one does not replace looking (SPEC 20.24). */
function vetoed(verdict: Verdict, ran: readonly CheckRun[], lang: Lang): Verdict {
  const say = workflowMessages[lang];
  const failed = ran
    .filter(({ exitCode }) => exitCode !== 0)
    .map((run) => say.commandVeto(run.check, outcomeOf(run, lang)));
  if (failed.length === 0) return verdict;
  const state = verdict.state === "achieved" ? "not_yet" : verdict.state;
  return verdict.with({ state, failed: [...verdict.failed, ...failed] });
}

function evidenceOf(run: CheckRun, lang: Lang): string {
  return [`$ ${run.command}`, plainText(run.tail).trim(), outcomeOf(run, lang)]
    .filter((line) => line !== "")
    .join("\n");
}

function outcomeOf({ exitCode, timedOut }: CommandRun, lang: Lang): string {
  const say = workflowMessages[lang];
  if (timedOut) return say.commandLate(COMMAND_LIMIT_MS / 60_000);
  return exitCode === 0 ? say.commandPassed : say.commandFailed(exitCode);
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, PATHS_TOLD).join(", ");
  return paths.length > PATHS_TOLD ? `${shown}, … (${paths.length})` : shown;
}
