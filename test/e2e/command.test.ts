import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { demoScenario } from "../../src/cli/demo/scenario.ts";
import { openShop } from "../../src/cli/demo/shop.ts";
import { STORIES } from "../../src/cli/demo/story.ts";
import {
  reply,
  type Scenario,
  type ScriptedModel,
  startScriptedModel,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import { CHECKOUT, LIBRARY } from "../support/built-command.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";

let dir: string;
let workspace: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-cmd-"));
  workspace = join(dir, "work space");
  mkdirSync(workspace);
});

afterEach(async () => {
  await endFlowers();
  await model?.close();
  model = undefined;
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Call {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command in the workspace, with the scripted model's address and a dummy key when one plays. */
function flower(args: readonly string[], call: Call = {}): Promise<FlowerExit> {
  const endpoint: Record<string, string> =
    model === undefined
      ? {}
      : {
          ANTHROPIC_BASE_URL: model.baseUrl,
          ANTHROPIC_API_KEY: "sk-dummy",
          ANTHROPIC_MODEL: "claude-sonnet-4-5",
        };
  const env = bareEnv(join(dir, "home"), { CLAUDE_CODE_MAX_RETRIES: "0", ...endpoint, ...call.env });
  return startFlower(args, {
    cwd: workspace,
    env,
    ...(call.input === undefined ? {} : { input: call.input }),
  }).ended;
}

async function play(scenario: Scenario): Promise<void> {
  model = await startScriptedModel(scenario);
}

const runs = (name: string): string => join(workspace, "runs", name);
const lines = (text: string): string[] => text.trim().split("\n");

/** The one line that stderr holds; fails when there are more, or none. */
function oneLineOf(stderr: string): string {
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trim();
}

/** Every file below the workspace but flower's own, with its content. */
function workspaceFiles(): Record<string, string> {
  const files = readdirSync(workspace, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, "utf8")]));
}

describe("without credentials", () => {
  beforeEach(() => {
    const found = join(CHECKOUT, ".env");
    expect(existsSync(found), `${found} holds credentials that flower would find; move it away`).toBe(false);
  });

  test("one line names both variables and the demo, and nothing is asked or written", async () => {
    const { code, stdout, stderr } = await flower(["build me a till"]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    for (const word of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "flower demo"]) {
      expect(oneLineOf(stderr)).toContain(word);
    }
    // Not before it exists.
    expect(stderr).not.toContain("flower setup");
    expect(workspaceFiles()).toEqual({});
  });

  test("the line is in the language of the directory", async () => {
    const { stderr } = await flower(["--lang", "zh", "做一个收银台"]);
    expect(oneLineOf(stderr)).toMatch(/^x 没有凭证/);
  });
});

describe("the ordinary path", () => {
  test("does the whole job with the endpoint and a dummy key in the environment", async () => {
    await openShop(workspace, "en");
    await play(demoScenario({ lang: "en", workspace, artifacts: join(workspace, ".flower", "artifacts") }));
    const { code, stdout, stderr } = await flower([
      STORIES.en.ask,
      "--timeout",
      "0",
      "--judge-can-run",
      "-v",
    ]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const rows = JSON.parse(readFileSync(runs("manifest.json"), "utf8")) as { step: string }[];
    expect(rows.map(({ step }) => step)).toEqual([
      "clarify",
      "goal",
      "work",
      "work·verdict#1",
      "work#round2",
      "work·verdict#2",
    ]);
    // Nobody was there to answer within no time at all: the question timed out and the story's version was taken.
    expect(readFileSync(join(workspace, ".flower", "notes", "qa.md"), "utf8")).toContain("no answer");
    expect(stdout).not.toContain("sk-dummy");
  }, 300_000);

  test("stops with one line when the goal is not achieved in the rounds it has", async () => {
    await openShop(workspace, "en");
    await play(demoScenario({ lang: "en", workspace, artifacts: join(workspace, ".flower", "artifacts") }));
    const { code, stderr } = await flower([
      STORIES.en.ask,
      "--timeout",
      "0",
      "--judge-can-run",
      "--rounds",
      "1",
    ]);
    expect(code).toBe(1);
    expect(oneLineOf(stderr)).toContain("1 of 3 checks failed");
  }, 300_000);

  test("reads a pipe as the sentence, and stops at the brief when told so", async () => {
    await play((request) =>
      reply(request.prompt.includes("a till, piped") ? STORIES.en.brief("1.0.1") : "what?"),
    );
    const { code } = await flower(["--clarify-only"], { input: "a till, piped\n" });
    expect(code).toBe(0);
    const brief = join(workspace, ".flower", "notes", "brief.md");
    expect(existsSync(brief)).toBe(true);

    // Nothing is left to do now, and no books are named that are not there.
    rmSync(runs("manifest.json"));
    const again = await flower(["--clarify-only"], { input: "a till, piped\n" });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(lines(again.stdout)).toEqual([
      `<- ${workspace} goes on from last time  brief frozen · no goal yet · wake 1`,
      `. the brief is frozen already: ${brief}; nothing was left to do`,
      "= total $0.0000",
    ]);
    const more = await flower(["--clarify-only", "and receipts"]);
    expect(more.stdout).toContain(`your sentence was added to it: ${brief}`);
    expect(readFileSync(brief, "utf8")).toContain("and receipts");
  });

  test("says what an unusable goal lacks, once, and that the same command goes on", async () => {
    await play((request) =>
      reply(request.firstPrompt.includes("a till") ? STORIES.en.brief("1.0.1") : "## Goal\nA till.\n"),
    );
    const { code, stdout, stderr } = await flower(["a till"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^x goal not accepted in 2 rounds · /m);
    expect(stdout).not.toMatch(/^\+ goal/m);
    expect(oneLineOf(stderr)).toBe(
      'x stopped: what "goal" handed in is not complete (missing: Checklist). The same command goes on from here.',
    );
  });

  test("with a refused key stops at once and says so", async () => {
    await play(() => unauthorized());
    const { code, stderr } = await flower(["a till"]);
    expect(code).toBe(1);
    for (const word of ["Invalid API key", "ANTHROPIC_API_KEY from the process environment", "FLOWER_ENV"])
      expect(oneLineOf(stderr)).toContain(word);
    expect(stderr).not.toContain("sk-dummy");
  });
});

test("once runs one prompt as a step", async () => {
  await play([toolCall("Bash", { command: "echo from-bash" }), reply("said and done")]);
  const { code, stdout } = await flower(["once", "say it", "-t", "Bash,Read"]);
  expect(code).toBe(0);
  expect(stdout).toContain("said and done");
  expect(stdout).toContain(runs("manifest.json"));
  model?.assertComplete();
});

test("run runs a workflow from a file, made by a function in TypeScript", async () => {
  await play([reply("from my own flow")]);
  const library = pathToFileURL(LIBRARY).href;
  writeFileSync(
    join(workspace, "flow.ts"),
    `import { Workflow } from ${JSON.stringify(library)};
     export const mine = (): Workflow => new Workflow([{ name: "greet", spec: { name: "a", instructions: "" }, prompt: "hi" }]);`,
  );
  const { code, stdout, stderr } = await flower(["run", "flow.ts:mine"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toContain("from my own flow");
  const missing = await flower(["run", "flow.ts:other"]);
  expect(missing.code).toBe(1);
  expect(oneLineOf(missing.stderr)).toContain("flow.ts:other is not a workflow");
  writeFileSync(join(workspace, "broken.cjs"), 'require("not-there");');
  for (const [target, word] of [
    ["nofile.ts", "x nofile.ts is neither a file nor an installed module. Give a path"],
    ["broken.cjs", "x cannot load broken.cjs: Cannot find module 'not-there'"],
  ] as const) {
    const { code: exit, stderr: said } = await flower(["run", target]);
    expect(exit).toBe(1);
    expect(oneLineOf(said)).toContain(word);
    expect(said).not.toMatch(/Require stack|flower\.cjs/);
  }
});

describe("bad input gives one clear line and loses nothing", () => {
  beforeEach(() => play(() => reply(STORIES.en.brief("1.0.1"))));

  const go = (...args: string[]): Promise<FlowerExit> => flower(["a till", "--clarify-only", ...args]);

  test("a workspace that is a file", async () => {
    writeFileSync(join(dir, "file"), "mine");
    const { code, stderr } = await go("-w", join(dir, "file"));
    expect(code).toBe(1);
    expect(oneLineOf(stderr)).toContain(`${join(dir, "file")} is a file, not a directory`);
    expect(readFileSync(join(dir, "file"), "utf8")).toBe("mine");
  });

  test("a path with characters that would not show", async () => {
    const hidden = join(dir, "a\u001b[31mb\nc");
    const shown = join(dir, String.raw`a\u001b[31mb\nc`);
    writeFileSync(hidden, "mine");
    const refused = await go("-w", hidden);
    expect(oneLineOf(refused.stderr)).toContain(`x ${shown} is a file, not a directory`);
    rmSync(hidden);
    const { code, stdout } = await go("-w", hidden);
    expect(code).toBe(0);
    expect(lines(stdout)[0]).toBe(`<- "${shown}" begins`);
    expect(lines(stdout).at(-1)).toContain(` · "${join(shown, "runs", "manifest.json")}"`);
  });

  test("a run directory that cannot be written", async () => {
    const target = process.getuid?.() === 0 ? "/proc/flower-runs" : join(dir, "locked", "runs");
    if (process.getuid?.() !== 0) {
      mkdirSync(join(dir, "locked"));
      chmodSync(join(dir, "locked"), 0o500);
    }
    const { code, stderr } = await go("-r", target);
    expect(code).toBe(1);
    expect(oneLineOf(stderr)).toMatch(/cannot write .*(flower-runs|locked)/);
    expect(workspaceFiles()).toEqual({});
  });

  test.each(["manifest.json", "lineage.json", "sessions.db"])(
    "a corrupt %s is kept aside, and the run goes on",
    async (name) => {
      mkdirSync(join(workspace, "runs"));
      writeFileSync(runs(name), "{ this is not what it should be");
      const { code, stdout } = await go();
      expect(code).toBe(0);
      const [kept, ...more] = readdirSync(join(workspace, "runs")).filter((file) =>
        file.startsWith(`${name}.corrupt-`),
      );
      expect(more).toEqual([]);
      expect(readFileSync(runs(kept ?? ""), "utf8")).toBe("{ this is not what it should be");
      expect(lines(stdout).filter((line) => line.includes(kept ?? "?"))).toHaveLength(1);
    },
  );

  test("a scenario that runs out of steps ends the run with its own words", async () => {
    await model?.close();
    await play([toolCall("Read", { file_path: join(workspace, "nothing.txt") })]);
    const { code, stderr } = await go();
    expect(code).toBe(1);
    expect(oneLineOf(stderr)).toMatch(/unexpected call/i);
    expect(existsSync(runs("sessions.db"))).toBe(true);
  });

  test.each([
    ["--rounds", "0"],
    ["--window", "none"],
    ["--timeout", "soon"],
    ["--asks", "some"],
    ["--lang", "fr"],
    ["--workspace", ""],
    ["--nonsense", ""],
  ])("%s %s is a usage error", async (flag, value) => {
    const { code, stderr } = await go(flag, value);
    expect(code).toBe(2);
    expect(oneLineOf(stderr)).toContain(flag);
    expect(stderr).toMatch(/^x /);
    expect(workspaceFiles()).toEqual({});
  });

  test("what is wrong with a value is said in the language asked for", async () => {
    const { stderr } = await go("--lang", "zh", "--rounds", "0");
    expect(oneLineOf(stderr)).toBe("x --rounds <n>:「0」无效,应为:不小于 1 的整数");
  });

  test.each([
    ["a flag of another subcommand", ["once", "hi", "--rounds", "2"], "--rounds"],
    ["a branch off from nothing", ["once", "hi", "--fork"], "--resume"],
    ["another workspace for the demo", ["demo", "-w", "elsewhere"], "--workspace"],
    ["another run directory for the demo", ["-r", "elsewhere", "demo"], "--run-dir"],
    ["a command that is still to come", ["setup"], "flower setup does not exist yet"],
  ])("%s is a usage error", async (_what, args, word) => {
    const { code, stdout, stderr } = await flower(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(oneLineOf(stderr)).toContain(word);
    expect(readdirSync(workspace)).toEqual([]);
  });

  test("nothing asked and nothing to go on from", async () => {
    const { code, stderr } = await flower([]);
    expect(code).toBe(1);
    expect(oneLineOf(stderr)).toContain("flower 'build me an X'");
    expect(readdirSync(workspace)).toEqual([]);
  });
});

test("help and version need nothing and speak both languages", async () => {
  const english = await flower(["--help"]);
  expect(english).toMatchObject({ code: 0, stderr: "" });
  const signs = "<- = > * + . # | ~ ? ! x -".split(" ");
  for (const word of ["Usage:", "go", "once", "run", "demo", "--workspace", "flower go --help"])
    expect(english.stdout).toContain(word);
  for (const sign of signs) expect(english.stdout).toContain(` ${sign} `);
  expect(english.stdout).not.toContain("(default: here) (default");
  const chinese = await flower(["--help", "--lang", "zh"]);
  for (const word of ["用法:", "flower go --help", "行首的记号"]) expect(chinese.stdout).toContain(word);
  for (const sign of signs) expect(chinese.stdout).toContain(` ${sign} `);
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect((await flower(["--version"])).stdout.trim()).toBe(version);
});
