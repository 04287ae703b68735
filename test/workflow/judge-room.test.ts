import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import { reply, route, type ScriptEntry, systemIncludes, toolCall } from "../../src/testing/index.ts";
import { VERDICT_KEY } from "../../src/workflow/context.ts";
import { openJudgeRoom } from "../../src/workflow/judge-room.ts";
import { withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, manifestRows, type RunWorld, specOf } from "../support/run-world.ts";

/** A judge that may run commands, and what it cannot do with them. */

let world: RunWorld;

const goalPath = (): string => join(world.cli.dir, "goal.md");
const goal = (check: string): void =>
  writeFileSync(goalPath(), `## Goal\nA till.\n\n## Checklist\n- ${check}\n`);
const ACHIEVED = "## Conclusion\nachieved\n\n## Reason\nI looked.\n\n## Failed\n(empty)\n";
const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], {
    cwd: world.workspace,
    encoding: "utf8",
  });
const till = (): string => readFileSync(join(world.workspace, "till.txt"), "utf8");
const rooms = (): string[] => readdirSync(tmpdir());

beforeEach(() => {
  world = makeRunWorld();
  // Rooms of other tests are in the system's own.
  const temporary = join(world.cli.dir, "rooms");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  git("init", "--quiet", "-b", "main");
  writeFileSync(join(world.workspace, "till.txt"), "2.00\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  writeFileSync(join(world.workspace, "till.txt"), "3.00\n");
  goal("It adds up.");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await world.end();
});

async function judged(judge: readonly ScriptEntry[], work: readonly ScriptEntry[] = [reply("done")]) {
  const model = await world.play(
    route([
      { name: "judge", when: systemIncludes(JUDGE_RULES.en), steps: [...judge] },
      { name: "work", when: () => true, steps: [...work] },
    ]),
  );
  const guarded = withGoal(
    { name: "work", spec: specOf(), prompt: "build it" },
    new HumanChannel({ timeoutMs: 0, lang: "en" }),
    { goalPath: goalPath(), canRun: true, rounds: work.length },
  );
  const runtime = world.runtime({ env: world.env({ ANTHROPIC_MODEL: MODEL }) });
  const context = await new Workflow([guarded], { continuous: false }).run(runtime, {
    onEvent: (event) => world.events.push(event),
  });
  return { model, runtime, context };
}

const bash = (command: string) => toolCall("Bash", { command });
const told = (subtype: string): readonly string[] =>
  world.events.flatMap(({ kind, text, payload }) =>
    kind === "system" && payload.subtype === subtype ? [text] : [],
  );

describe("a judge that may run commands", () => {
  test("works on what is there now, and what it does stays in its copy, which is gone afterwards", async () => {
    const spoil =
      "cat till.txt; echo 0.00 > till.txt; git commit -qam mine; git branch -f main HEAD; pwd; ls -ld .";
    const { model, runtime, context } = await judged([bash(spoil), reply(ACHIEVED)]);
    expect(context[VERDICT_KEY]?.achieved).toBe(true);
    const seen = model.calls.at(-1)?.request?.history()[0];
    expect(seen?.text).toContain("3.00");
    expect(seen?.text).not.toContain(world.workspace);
    expect(seen?.text).toContain("drwx------");
    expect(till()).toBe("3.00\n");
    expect(git("log", "--format=%s", "main")).toBe("first\n");
    expect(git("status", "--porcelain")).toBe(" M till.txt\n");
    expect(told("judged_changed")).toEqual([]);
    expect(rooms()).toEqual([]);
    expect(manifestRows(runtime).map(({ step }) => step)).toEqual(["work", "work·verdict#1"]);
    expect(
      model.calls.find(({ request }) => request.system.includes(JUDGE_RULES.en))?.request.prompt,
    ).toContain("in a copy of the workspace");
  }, 60_000);

  test("whose hand reaches the original has its verdict voided, and another one looks", async () => {
    const reach = bash(`echo 9.99 > '${join(world.workspace, "till.txt")}'`);
    const { context } = await judged([reach, reply(ACHIEVED), bash("cat till.txt"), reply(ACHIEVED)]);
    expect(told("judged_changed")).toEqual([expect.stringMatching(/till\.txt.*another judge looks/)]);
    expect(context[VERDICT_KEY]?.achieved).toBe(true);
  }, 60_000);

  test("does not get a third chance: the run stops, and says why", async () => {
    const reach = (amount: string) => bash(`echo ${amount} > '${join(world.workspace, "till.txt")}'`);
    const { context } = await judged([reach("9"), reply(ACHIEVED), reach("8"), reply(ACHIEVED)]);
    expect(context._aborted).toContain("till.txt");
    expect(context._failed_at).toBe("work");
    expect(rooms()).toEqual([]);
  }, 60_000);
});

describe("a command of the checklist", () => {
  test("that fails vetoes what the judge achieved; the work goes back with it, and the judge had seen it", async () => {
    goal("It costs two. `run: grep -q 2.00 till.txt || { echo not two; exit 3; }`");
    const { model, context } = await judged([reply(ACHIEVED)]);
    expect(context[VERDICT_KEY]).toMatchObject({ state: "not_yet", achieved: false });
    expect(context[VERDICT_KEY]?.failed).toEqual([expect.stringMatching(/It costs two.*exit code 3/)]);
    const prompt = model.calls.at(-1)?.request.prompt ?? "";
    expect(prompt).toContain("> $ grep -q 2.00");
    expect(prompt).toContain("> not two");
    expect(told("check_run")).toEqual([expect.stringContaining("exit code 3")]);
    expect(context._failed_at).toBe("work");
  }, 60_000);

  test("that passes does not replace the judge, and leaves the workspace alone", async () => {
    goal("It costs three. `run: grep -q 3.00 till.txt && rm till.txt`");
    const no = "## Conclusion\nnot yet\n\n## Reason\nNo till.\n\n## Failed\n- It costs three.\n";
    const { context } = await judged([reply(no)]);
    expect(context[VERDICT_KEY]).toMatchObject({ state: "not_yet", failed: ["It costs three."] });
    expect(till()).toBe("3.00\n");
  }, 60_000);
});

test("the room is made where there is no repository, shows what was made and not what was said, and takes away what a dead flower left", async () => {
  await world.play([]);
  rmSync(join(world.workspace, ".git"), { recursive: true });
  const runtime = world.runtime({ workbench: true });
  const { workbench } = runtime;
  if (workbench === undefined) throw new Error("asked for");
  workbench.ensure();
  writeFileSync(join(workbench.artifacts, "report.md"), "made");
  writeFileSync(join(workbench.notes, "handoff.md"), "said");
  const first = await openJudgeRoom(runtime);
  const leftover = first.path.replace(/-\d+_\d+-/, "-1_1-");
  mkdirSync(leftover);
  const second = await openJudgeRoom(runtime);
  expect([existsSync(leftover), existsSync(first.path)]).toEqual([false, true]);
  expect(statSync(second.path).mode & 0o777).toBe(0o700);
  const inRoom = (path: string): string => join(second.path, path.slice(world.workspace.length));
  expect(existsSync(inRoom(join(workbench.artifacts, "report.md")))).toBe(true);
  expect(existsSync(inRoom(join(workbench.notes, "handoff.md")))).toBe(false);
  expect(existsSync(inRoom(join(runtime.runDir, "sessions.db")))).toBe(false);
  writeFileSync(join(workbench.notes, "more.md"), "flower's own");
  expect(await second.changed()).toEqual([]);
  writeFileSync(join(world.workspace, "till.txt"), "changed");
  expect(await second.changed()).toEqual(["till.txt"]);
  await first.close();
  await second.close();
  expect(rooms()).toEqual([]);
});
