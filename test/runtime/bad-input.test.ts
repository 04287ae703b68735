import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentSpec } from "../../src/agent/spec.ts";
import type { RunOptions, RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import type { ScriptedModel } from "../../src/testing/index.ts";
import type { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

/** Nothing here may reach the model: any request would be unexpected. */
let world: RunWorld;
let model: ScriptedModel;

beforeEach(async () => {
  world = makeRunWorld();
  model = await world.play([]);
});

afterEach(() => world.end());

/** What is on disk below a directory, with its bytes; SQLite's log and its index come and go with a connection. */
function filesBelow(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter(({ name }) => !name.endsWith("-wal") && !name.endsWith("-shm"))
      .map((entry) => [
        join(entry.parentPath, entry.name),
        entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "latin1") : "directory",
      ]),
  );
}

/** What a mistake is told as. */
interface Told {
  readonly code: string;
  readonly says: string;
  readonly hints: string;
}

const error = ({ code, says, hints }: Told) =>
  expect.objectContaining({
    code,
    message: expect.stringContaining(says),
    hint: expect.stringContaining(hints),
  });

const made = (options: Partial<RuntimeOptions>) =>
  world.runtime({ workspace: join(world.cli.dir, "new"), ...options });
const withBase = (ANTHROPIC_BASE_URL: string) => ({ env: world.env({ ANTHROPIC_BASE_URL }) });

describe("a runtime that cannot be meant makes no directory and asks nothing", () => {
  const handoffHint = "or leave it out";
  test.each<[string, () => Partial<RuntimeOptions>, Told]>([
    [
      "a budget of 0",
      () => ({ budgetUsd: 0 }),
      { code: "runtime/bad-budget", says: "0 US dollars", hints: "above zero" },
    ],
    [
      "a negative budget",
      () => ({ budgetUsd: -2 }),
      { code: "runtime/bad-budget", says: "-2", hints: "above zero" },
    ],
    [
      "a budget of NaN",
      () => ({ budgetUsd: Number.NaN }),
      { code: "runtime/bad-budget", says: "NaN", hints: "above zero" },
    ],
    [
      "a window of 0",
      () => ({ handoff: { window: 0 } }),
      { code: "runtime/handoff-window", says: "window is 0", hints: "200000" },
    ],
    [
      "a negative window",
      () => ({ handoff: { window: -1 } }),
      { code: "runtime/handoff-window", says: "-1", hints: "200000" },
    ],
    [
      "a window of NaN",
      () => ({ handoff: { window: Number.NaN } }),
      { code: "runtime/handoff-window", says: "NaN", hints: "200000" },
    ],
    [
      "a window given in thousands",
      () => ({ handoff: { window: 200 } }),
      { code: "runtime/handoff-window", says: "at least 10000", hints: "200000" },
    ],
    [
      "a window in the environment that is no number",
      () => ({ env: world.env({ FLOWER_WINDOW: "200k" }) }),
      { code: "config/bad-window", says: '"200k"', hints: "200000" },
    ],
    [
      "a headroom of NaN",
      () => ({ handoff: { headroom: Number.NaN } }),
      { code: "runtime/bad-limit", says: "handoff.headroom is NaN", hints: handoffHint },
    ],
    [
      "a negative headroom",
      () => ({ handoff: { headroom: -1 } }),
      { code: "runtime/bad-limit", says: "handoff.headroom is -1", hints: handoffHint },
    ],
    [
      "half a generation",
      () => ({ handoff: { maxGenerations: 0.5 } }),
      { code: "runtime/bad-limit", says: "handoff.maxGenerations is 0.5", hints: handoffHint },
    ],
    [
      "a negative spill threshold",
      () => ({ spillThreshold: -1 }),
      { code: "runtime/bad-limit", says: "spillThreshold is -1", hints: handoffHint },
    ],
    [
      "a spill threshold of NaN",
      () => ({ spillThreshold: Number.NaN }),
      { code: "runtime/bad-limit", says: "NaN", hints: handoffHint },
    ],
    [
      "a negative number of denials",
      () => ({ keepDenials: -1 }),
      { code: "store/bad-policy", says: "-1", hints: "policy" },
    ],
    [
      "a trim threshold of NaN",
      () => ({ trim: { minChars: Number.NaN } }),
      { code: "store/bad-policy", says: "trim.minChars", hints: "policy" },
    ],
    [
      "a negative number of recent glances",
      () => ({ ephemeral: { keepRecent: -6 } }),
      { code: "store/bad-policy", says: "-6", hints: "policy" },
    ],
    [
      "a base URL without a scheme",
      () => withBase("api.example.com"),
      { code: "resilience/bad-base-url", says: "the process environment", hints: "https://" },
    ],
    [
      "a base URL of another protocol",
      () => withBase("ftp://api.example.com"),
      { code: "resilience/bad-base-url", says: "not an http or https address", hints: "https://" },
    ],
    [
      "a base URL that is a word",
      () => withBase("production"),
      { code: "resilience/bad-base-url", says: "not an http or https address", hints: "https://" },
    ],
  ])("%s", (_what, options, told) => {
    const before = filesBelow(world.cli.dir);
    expect(() => made(options())).toThrow(error(told));
    expect(filesBelow(world.cli.dir)).toEqual(before);
    expect(model.calls).toEqual([]);
  });

  test("no attempt at all", () => {
    expect(() => made({ resilience: { maxAttempts: 0 } })).toThrow(
      expect.objectContaining({
        code: "resilience/bad-policy",
        message: expect.stringContaining("maxAttempts is 0"),
        hint: expect.stringContaining("policy"),
      }),
    );
    expect(filesBelow(join(world.cli.dir, "new"))).toEqual({});
  });

  test.each([
    ["that is none", "ftp://me:hunter2@api.example.com"],
    ["that cannot be read", "https://me:hunter2@api example.com"],
    ["that is one", "https://me:hunter2@api.example.com"],
    ["with a user alone", "https://hunter2@api.example.com"],
  ])("credentials in a base URL %s, which are never repeated", (_what, url) => {
    const thrown = caught(() => made(withBase(url)));
    expect(thrown).toMatchObject({ code: "resilience/bad-base-url", hint: expect.any(String) });
    expect(everythingSaid(thrown)).not.toMatch(/hunter2|me:|api\.example|api example/);
    expect(filesBelow(join(world.cli.dir, "new"))).toEqual({});
    expect(model.calls).toEqual([]);
  });

  test("in the language of the directory", () => {
    const workspace = join(world.cli.dir, "zh");
    mkdirSync(join(workspace, "runs"), { recursive: true });
    writeFileSync(
      join(workspace, "runs", "lineage.json"),
      JSON.stringify({ workspace, lang: "zh", steps: {} }),
    );
    const before = filesBelow(workspace);
    for (const [options, says] of [
      [withBase("production"), "不是 http 或 https 地址"],
      [{ handoff: { window: 200 } }, "应为不小于 10000 的整数"],
      [{ env: world.env({ FLOWER_WINDOW: "x" }) }, "不是 token 数"],
      [{ budgetUsd: 0 }, "预算 0 美元"],
    ] as const)
      expect(() => made({ workspace, ...options })).toThrow(says);
    expect(filesBelow(workspace)).toEqual(before);
  });
});

describe("a step that cannot be meant changes nothing in the run directory and asks nothing", () => {
  const needsResume = (says: string): Told => ({
    code: "agent/needs-resume",
    says,
    hints: "session to resume",
  });
  const badLimit = (says: string): Told => ({ code: "runtime/bad-limit", says, hints: "leave it out" });
  test.each<[string, RunOptions, Partial<AgentSpec>, Told]>([
    ["fork without resume", { fork: true }, {}, needsResume('"fork"')],
    [
      "resumeAt without resume",
      { resumeAt: "8a0d7f8a-0c55-4a52-9d3e-7c1b2f60a911" },
      {},
      needsResume('"resumeAt"'),
    ],
    ["both without resume", { fork: true, resumeAt: "x" }, {}, needsResume('"fork"')],
    [
      "an unknown session",
      { resume: "no-such-session" },
      {},
      { code: "runtime/unknown-session", says: "no-such-session", hints: "manifest.json" },
    ],
    [
      "an empty session",
      { resume: "" },
      {},
      { code: "runtime/unknown-session", says: '""', hints: "manifest.json" },
    ],
    [
      "a session that is a path",
      { resume: "../other/session" },
      {},
      { code: "runtime/unknown-session", says: "../other", hints: "manifest.json" },
    ],
    ["a budget of 0 for the step", {}, { maxBudgetUsd: 0 }, badLimit("agent: maxBudgetUsd is 0")],
    ["a budget of NaN for the step", {}, { maxBudgetUsd: Number.NaN }, badLimit("maxBudgetUsd is NaN")],
    ["no turn at all", {}, { maxTurns: 0 }, badLimit("agent: maxTurns is 0")],
    [
      "an unknown compact mode",
      {},
      { compact: JSON.parse('{"mode":"some"}') as object },
      { code: "agent/compact-mode", says: '"some"', hints: "no_summary" },
    ],
    [
      "a negative compact window",
      {},
      { compact: { window: -1 } },
      { code: "agent/compact-window", says: "-1", hints: "150000" },
    ],
  ])("%s", async (_what, options, spec, told) => {
    const runtime = world.runtime();
    await runtime.prepare();
    const before = filesBelow(runtime.runDir);
    await expect(runtime.run(specOf(spec), "go", options)).rejects.toEqual(error(told));
    expect(filesBelow(runtime.runDir)).toEqual(before);
    expect(runtime.results).toEqual([]);
    expect(model.calls).toEqual([]);
  });

  test("a message to go back to that the session does not hold", async () => {
    const runtime = world.runtime();
    await runtime.prepare();
    const session = { projectKey: runtime.projectKey, sessionId: "8a0d7f8a-0c55-4a52-9d3e-7c1b2f60a911" };
    await runtime.store.append(session, [{ type: "user", uuid: "u1" }]);
    await runtime.store.append({ ...session, subpath: "subagents/agent-a1" }, [{ type: "user", uuid: "u2" }]);
    const before = filesBelow(runtime.runDir);
    for (const resumeAt of ["u2", "u9", ""])
      await expect(runtime.run(specOf(), "go", { resume: session.sessionId, resumeAt })).rejects.toEqual(
        error({ code: "runtime/unknown-message", says: `"${resumeAt}"`, hints: "uuid" }),
      );
    expect(filesBelow(runtime.runDir)).toEqual(before);
    expect(model.calls).toEqual([]);
  });

  const step = (name: string, more: Partial<Step> = {}): Step => ({
    name,
    spec: specOf(),
    prompt: "p",
    ...more,
  });
  test.each<[string, readonly Step[], Told]>([
    [
      "two steps of one name",
      [step("a"), step("b"), step("a")],
      { code: "workflow/duplicate-step", says: '"a"', hints: "its own name" },
    ],
    [
      "resumeFrom a step that there is not",
      [step("a", { resumeFrom: "z" })],
      { code: "workflow/no-session", says: '"z" has none', hints: "before it" },
    ],
    [
      "resumeFrom a step that comes later",
      [step("a", { resumeFrom: "b" }), step("b")],
      { code: "workflow/no-session", says: '"b" has none', hints: "before it" },
    ],
    [
      "resumeFrom itself",
      [step("a", { resumeFrom: "a" })],
      { code: "workflow/no-session", says: '"a" has none', hints: "before it" },
    ],
    [
      "fork without resumeFrom",
      [step("a", { fork: true })],
      { code: "workflow/needs-resume", says: '"a"', hints: "resumeFrom" },
    ],
    [
      "retries of NaN, as rounds of NaN make them",
      [step("a", { retries: Number.NaN })],
      { code: "workflow/bad-retries", says: "NaN", hints: "rounds" },
    ],
    [
      "negative retries",
      [step("a", { retries: -1 })],
      { code: "workflow/bad-retries", says: "-1", hints: "at least 0" },
    ],
  ])("a list with %s", async (_what, steps, told) => {
    const runtime = world.runtime();
    const before = filesBelow(runtime.runDir);
    await expect(new Workflow(steps).run(runtime)).rejects.toEqual(error(told));
    expect(filesBelow(runtime.runDir)).toEqual(before);
    expect(model.calls).toEqual([]);
  });
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

/** Message, hint and stack, of what was thrown and of every cause behind it. */
function everythingSaid(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const hint = "hint" in thrown ? String(thrown.hint) : "";
  return [thrown.message, hint, thrown.stack?.split("\n    at ")[0], everythingSaid(thrown.cause)].join("\n");
}
