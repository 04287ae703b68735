import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { CLARIFIER_RULES } from "../../src/lang/rules/clarifier-rules.ts";
import { COORDINATOR_RULES } from "../../src/lang/rules/coordinator-rules.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import {
  type ModelRequest,
  reply,
  type ScriptedModel,
  type ScriptStep,
  unauthorized,
} from "../../src/testing/index.ts";
import type { Context } from "../../src/workflow/context.ts";
import { Lineage } from "../../src/workflow/lineage.ts";
import { type StarterOptions, starterFlow } from "../../src/workflow/starter-flow.ts";
import { wakeState } from "../../src/workflow/wake-state.ts";
import { MODEL } from "../support/run-agent.ts";
import { makeRunWorld, type RunWorld } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await world.end();
});

const BRIEF =
  "## Goal\nA till.\n\n## Acceptance criteria\nIt adds up.\n\n## Boundaries\nNo network.\n\n## Unknowns and assumptions\nWhole prices.\n";
const BRIEF_ZH = "## 目标\n收银\n## 验收标准\n算对\n## 边界\n无\n## 未知与假设\n整数价格\n";
const GOAL = "## Goal\nA till.\n\n## Checklist\n- It adds up.\n";
const ASK = "Build me a till.";
const BLUE = "Make it blue as well.";
const VERDICT = "## Conclusion\nachieved\n\n## Reason\nI looked.\n\n## Failed\n(empty)\n";

const options = (more: Partial<StarterOptions> = {}): StarterOptions => ({
  workspace: world.workspace,
  env: { HOME: world.cli.home, FLOWER_LANG: "en" },
  ...more,
});
const paths = () => wakeState(world.workspace, options()).paths;

/** Writes a document of an earlier run, some seconds ago. */
function leave(path: string, text: string, atSeconds = 1000): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, atSeconds, atSeconds);
  return path;
}

describe("before anything is spent", () => {
  test("asks for a sentence when there is nothing to go on from, and leaves no trace", () => {
    expect(() => starterFlow("  ", options())).toThrow(
      expect.objectContaining({ code: "workflow/needs-ask" }),
    );
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  test("refuses worktrees without a repository", () => {
    expect(() => starterFlow("a till", options({ isolate: true }))).toThrow(
      expect.objectContaining({ code: "workflow/needs-git" }),
    );
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  test("refuses another language than the directory has", () => {
    const brief = leave(join(paths().notes, "需求.md"), BRIEF_ZH);
    expect(() => starterFlow("改成蓝色", options({ lang: "en" }))).toThrow(
      expect.objectContaining({ code: "config/directory-language", hint: expect.stringContaining("--new") }),
    );
    expect(readFileSync(brief, "utf8")).toBe(BRIEF_ZH);
    expect(readdirSync(dirname(brief))).toEqual(["需求.md"]);
  });
});

describe("the state of a directory", () => {
  test("is known without writing a byte", () => {
    const { notes } = paths();
    leave(join(notes, "需求.md"), BRIEF_ZH);
    const state = wakeState(world.workspace, options());
    expect(state).toMatchObject({ waking: true, lang: "zh", checks: 0, woke: 0, steps: {} });
    expect(state.brief?.goal).toBe("收银");
    expect(readdirSync(world.workspace)).toEqual([".flower"]);
    expect(readdirSync(notes)).toEqual(["需求.md"]);
  });

  test("is in the language that the runtime has, also when a .env file chooses it", async () => {
    const file = leave(join(world.cli.home, "some.env"), "FLOWER_LANG=zh\n");
    vi.stubEnv("FLOWER_ENV", file);
    vi.stubEnv("FLOWER_LANG", "");
    vi.stubEnv("LC_ALL", "C");
    expect(wakeState(world.workspace).lang).toBe("zh");
    await world.play([]);
    const runtime = world.runtime({
      env: { ...world.env(), FLOWER_LANG: "", FLOWER_ENV: file },
      dotenv: true,
    });
    expect(runtime.lang).toBe("zh");
  });
});

describe("to begin anew", () => {
  test("archives everything", () => {
    const { brief, notes } = paths();
    leave(brief, BRIEF);
    starterFlow("something else", options({ new: true }));
    expect(existsSync(brief)).toBe(false);
    const [stamp] = readdirSync(join(notes, "archive"));
    expect(readFileSync(join(notes, "archive", stamp ?? "", "brief.md"), "utf8")).toBe(BRIEF);
  });

  test("in the other language archives under the old names and records the new one", async () => {
    const { brief, goal, notes, runDir } = paths();
    leave(brief, BRIEF);
    leave(goal, GOAL);
    Lineage.open(runDir, world.workspace, { lang: "en" }).remember("work", "s-1");
    await world.play(() => reply(BRIEF_ZH));
    const runtime = world.runtime({ lang: "zh", new: true });
    const flow = starterFlow("收银台", options({ new: true, lang: "zh", clarifyOnly: true }));
    await flow.run(runtime);
    const [stamp = ""] = readdirSync(join(notes, "archive"));
    expect(readdirSync(join(notes, "archive", stamp)).sort()).toEqual([
      "brief.md",
      "goal.md",
      "lineage.json",
    ]);
    expect(readdirSync(notes).sort()).toEqual(["archive", "需求.md"]);
    const state = wakeState(world.workspace, options());
    expect(state).toMatchObject({ waking: true, lang: "zh", asks: ["收银台"] });
    expect(Object.keys(state.steps)).toEqual(["确认需求"]);
  });
});

/** Plays every role, and runs the starter once. */
async function runStarter(ask: string, more: Partial<Roles & StarterOptions> = {}): Promise<Ran> {
  const { clarifier, goalSetter, coordinator, ...starter } = more;
  const model = await world.play((request) => {
    if (request.system.includes(CLARIFIER_RULES.en)) return (clarifier ?? (() => reply(BRIEF)))(request);
    if (request.system.includes(COORDINATOR_RULES.en)) return (coordinator ?? (() => reply("done")))(request);
    if (!request.system.includes(JUDGE_RULES.en)) return undefined;
    return request.prompt.includes("Set the goal")
      ? (goalSetter ?? (() => reply(GOAL)))(request)
      : reply(VERDICT);
  });
  const env = world.env({ ANTHROPIC_MODEL: MODEL });
  const runtime = world.runtime({ env, resilience: false, workspace: starter.workspace ?? world.workspace });
  const context = await starterFlow(ask, options(starter)).run(runtime);
  runtime.close();
  const heard = (rules: string): string[] =>
    model.calls.flatMap(({ request }) => (request?.system.includes(rules) ? [request.prompt] : []));
  return {
    model,
    context,
    clarifier: heard(CLARIFIER_RULES.en),
    coordinator: heard(COORDINATOR_RULES.en),
    goals: heard(JUDGE_RULES.en).filter((prompt) => prompt.includes("Set the goal")),
  };
}

interface Roles {
  readonly clarifier: (request: ModelRequest) => ScriptStep;
  readonly goalSetter: (request: ModelRequest) => ScriptStep;
  readonly coordinator: (request: ModelRequest) => ScriptStep;
}

interface Ran {
  readonly model: ScriptedModel;
  readonly context: Context;
  readonly clarifier: string[];
  readonly coordinator: string[];
  readonly goals: string[];
}

const written = (text: string): number => readFileSync(paths().brief, "utf8").split(text).length - 1;

/** A world after its first run; `bringBack` makes it the test's own, as it was then. */
interface Kept {
  bringBack(): Promise<void>;
  remove(): void;
}

/**
 * Runs the starter once, for as many tests as want to go on from there. The world comes back to the very path where it
 * was: conversations are found by it.
 */
async function keepAfter(...first: Parameters<typeof runStarter>): Promise<Kept> {
  const own = makeRunWorld();
  world = own;
  await runStarter(...first);
  const kept = mkdtempSync(join(tmpdir(), "flower-kept-"));
  cpSync(own.cli.dir, kept, { recursive: true, preserveTimestamps: true });
  await own.end();
  return {
    bringBack: async () => {
      await world.end();
      world = own;
      cpSync(kept, own.cli.dir, { recursive: true, preserveTimestamps: true });
    },
    remove: () => rmSync(kept, { recursive: true }),
  };
}

describe("the same directory again", () => {
  let asked: Kept;
  let askedWithoutGoal: Kept;

  beforeAll(async () => {
    asked = await keepAfter(ASK);
    askedWithoutGoal = await keepAfter(ASK, { goal: false });
  });

  afterAll(() => {
    asked.remove();
    askedWithoutGoal.remove();
  });

  test("with the same command goes on, and says nothing new", async () => {
    await asked.bringBack();
    const again = await runStarter(` ${ASK}\n`);
    expect(again.context._failed_at).toBeUndefined();
    expect([again.clarifier, again.goals]).toEqual([[], []]);
    expect(again.coordinator).toHaveLength(1);
    expect(again.coordinator[0]).not.toContain("precedence");
    expect(written(ASK)).toBe(0);
  }, 120_000);

  test("with a new sentence changes brief, goal and work, once", async () => {
    await asked.bringBack();
    const wake = await runStarter(BLUE);
    expect(wake.goals[0]).toContain(BLUE);
    expect(wake.coordinator[0]).toContain(`> ${BLUE}`);
    expect(written(BLUE)).toBe(1);
    const again = await runStarter(BLUE);
    expect(again.goals).toEqual([]);
    expect(again.coordinator[0]).not.toContain(BLUE);
    expect(written(BLUE)).toBe(1);
    expect(wakeState(world.workspace, options()).asks).toEqual([ASK, BLUE]);
  }, 120_000);

  test("brings what a run that was killed had no time to tell, whatever is said now", async () => {
    await askedWithoutGoal.bringBack();
    const broken = await runStarter(BLUE, { goalSetter: () => unauthorized() });
    expect(broken.coordinator).toEqual([]);
    const wake = await runStarter("");
    expect(wake.goals[0]).toContain(BLUE);
    expect(wake.coordinator[0]).toContain(`> ${BLUE}`);
    expect((await runStarter(BLUE, { goal: false })).coordinator[0]).not.toContain(BLUE);
  }, 120_000);

  test("sets the goal anew when the brief was edited by hand, and tells the coordinator", async () => {
    await asked.bringBack();
    const later = Date.now() / 1000 + 10;
    leave(paths().brief, BRIEF.replace("It adds up.", "It adds up to the cent."), later);
    const wake = await runStarter("");
    expect(wake.goals[0]).toContain("to the cent");
    expect(wake.coordinator[0]).toContain("checks from now on");
  }, 120_000);

  test("with another sentence while the brief is open tells it to the clarifier", async () => {
    await runStarter(ASK, { clarifier: () => unauthorized() });
    const same = await runStarter(ASK, { clarifier: () => unauthorized() });
    expect(same.clarifier[0]).not.toContain(ASK);
    const other = await runStarter(BLUE);
    expect(other.clarifier[0]).toContain(`> ${BLUE}`);
  }, 120_000);

  test("shows the clarifier what a person began to write, and keeps it when the brief replaces it", async () => {
    const begun = "# Till\n\nIt must print receipts.\n\n## Goal\nA till for my shop.\n";
    leave(paths().brief, begun);
    const ran = await runStarter(ASK, { goal: false });
    expect(ran.clarifier[0]).toContain(`> ${ASK}`);
    expect(ran.clarifier[0]).toContain("> It must print receipts.");
    const archive = join(paths().notes, "archive");
    const kept = readdirSync(archive).map((name) => readFileSync(join(archive, name), "utf8"));
    expect(kept).toEqual([begun]);
    expect(readFileSync(paths().brief, "utf8")).toContain("A till.");
  }, 120_000);

  test("keeps the goal that a new one replaces", async () => {
    await asked.bringBack();
    await runStarter(BLUE, { goalSetter: () => reply(GOAL.replace("A till.", "A blue till.")) });
    const archive = join(paths().notes, "archive");
    expect(readdirSync(archive)).toEqual([expect.stringMatching(/^goal-\d{8}-\d{6}\.md$/)]);
    expect(readFileSync(paths().goal, "utf8")).toContain("A blue till.");
  }, 120_000);

  test("through a symbolic link goes on in its conversation", async () => {
    await askedWithoutGoal.bringBack();
    const link = join(world.cli.dir, "link");
    symlinkSync(world.workspace, link);
    const again = await runStarter("", { workspace: link, goal: false });
    expect(again.context._woke).toBe(1);
    expect(again.coordinator[0]).toContain("same conversation");
  }, 120_000);

  test("of which no account was kept brings the sentence to brief, goal and coordinator", async () => {
    const { brief, goal } = paths();
    leave(brief, `${BRIEF}\n## added on wake · 2025-01-31 14:03\n\n> And red.\n`);
    leave(goal, GOAL);
    const wake = await runStarter(BLUE);
    expect(written(BLUE)).toBe(1);
    expect(wake.goals[0]).toContain(BLUE);
    expect(wakeState(world.workspace, options()).asks).toEqual(["And red.", BLUE]);
  }, 120_000);
});
