import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLARIFIER_RULES } from "../../src/lang/rules/clarifier-rules.ts";
import { COORDINATOR_RULES } from "../../src/lang/rules/coordinator-rules.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import {
  type ModelRequest,
  reply,
  route,
  type ScriptEntry,
  type ScriptedModel,
  startScriptedModel,
  systemIncludes,
} from "../../src/testing/index.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";
import {
  leaveOriginal,
  type OriginalDirectory,
  readJson,
  storedRows,
} from "../support/original-directory.ts";
import { REMEMBERED, type StoredRow } from "../support/original-sessions.ts";

let dir: string;
let model: ScriptedModel;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-original-"));
});

afterEach(async () => {
  await endFlowers();
  await model?.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** A name of which the original and the SDK of today make different project keys. */
const workspaceOf = (name = "我的_小店.v2"): string => {
  const workspace = join(dir, name);
  mkdirSync(workspace);
  return workspace;
};

const ACHIEVED = "## 结论\n达成\n\n## 理由\n逐条看过。\n\n## 未通过\n(空)\n";

/** The models of a wake: the coordinator says it is done, the judge agrees, and nobody else is asked anything. */
async function play({ clarifier = [] }: { clarifier?: readonly ScriptEntry[] } = {}): Promise<void> {
  model = await startScriptedModel(
    route([
      { name: "coordinator", when: systemIncludes(COORDINATOR_RULES.zh), steps: [reply("都做完了。")] },
      { name: "judge", when: systemIncludes(JUDGE_RULES.zh), steps: [reply(ACHIEVED)] },
      { name: "clarifier", when: systemIncludes(CLARIFIER_RULES.zh), steps: clarifier },
    ]),
  );
}

/** Wakes a directory from a shell whose locale is English. */
function wake(cwd: string, args: readonly string[] = []): Promise<FlowerExit> {
  const endpoint = {
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: "sk-dummy",
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  return startFlower(["--timeout", "0", ...args], { cwd, env: bareEnv(join(dir, "home"), endpoint) }).ended;
}

const turns = (rules: string): readonly ModelRequest[] =>
  model.calls.map(({ request }) => request).filter((request) => request.system.includes(rules));

function coordinatorTurn(): ModelRequest {
  const [first, ...more] = turns(COORDINATOR_RULES.zh);
  expect(more).toEqual([]);
  if (first === undefined) throw new Error("the coordinator was not asked anything");
  return first;
}

/** Every file below a directory, with its bytes. */
function filesBelow(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "latin1")]),
  );
}

const wire = (request: ModelRequest): string => JSON.stringify(request.messages);

/** Rows as they were, wherever they are filed by now. */
const withoutProject = (rows: readonly StoredRow[]): readonly string[] =>
  rows
    .map(({ store_key, seq, uid, payload }) =>
      [store_key.slice(store_key.indexOf("/")), seq, uid, payload].join(" "),
    )
    .sort();

function expectAllKept(left: OriginalDirectory, runDir = left.runDir): void {
  expect(withoutProject(storedRows(runDir))).toEqual(expect.arrayContaining([...withoutProject(left.rows)]));
  const rows = readJson(join(runDir, "manifest.json")) as unknown[];
  expect(rows.slice(0, left.manifest.length)).toEqual(left.manifest);
}

const lineageIn = (runDir: string): Record<string, unknown> =>
  readJson(join(runDir, "lineage.json")) as Record<string, unknown>;

/** It went on where it was cut off, in Chinese, and ended well. */
function expectGoneOn(left: OriginalDirectory, end: FlowerExit, at = left.workspace): void {
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(end.stdout).toContain(`<- ${at} 接上上次  需求已确认 · 目标 3 条 · 干活上下文 71.4K · 第 3 次唤醒`);
  const request = coordinatorTurn();
  expect(request.sessionId).toBe(left.steps.干活);
  for (const words of [REMEMBERED.plan, REMEMBERED.firstReport, REMEMBERED.cutOffTask])
    expect(wire(request)).toContain(words);
  // What the network did is in the books, and not in the conversation.
  expect(wire(request)).not.toContain("Can't reach the API server");
  expect(turns(CLARIFIER_RULES.zh)).toEqual([]);
  const runDir = join(at, "runs");
  expectAllKept(left, runDir);
  expect(lineageIn(runDir)).toEqual({
    ...left.lineage,
    workspace: at,
    woke: 3,
    lang: "zh",
    asks: ["小票要写日期。"],
  });
  const added = (readJson(join(runDir, "manifest.json")) as { step: string; session_id: string }[]).slice(3);
  expect(added.map(({ step }) => step)).toEqual(["干活", "干活·判定#1"]);
  expect(added[0]?.session_id).toBe(left.steps.干活);
  expect(readdirSync(join(at, ".flower", "notes")).sort()).toEqual(["目标.md", "问答记录.md", "需求.md"]);
  model.assertComplete();
}

describe("a directory that the Python original left in the middle of its work", () => {
  test("goes on in the very session, in Chinese, asks nothing twice and loses nothing", async () => {
    const left = leaveOriginal(workspaceOf(), { unknownFields: true });
    await play();
    const documents = ["需求.md", "目标.md", "问答记录.md"].map((name) => join(left.notes, name));
    const before = documents.map((path) => readFileSync(path, "utf8"));
    expectGoneOn(left, await wake(left.workspace));
    expect(documents.map((path) => readFileSync(path, "utf8"))).toEqual(before);
  });

  test("goes on when it has been moved since", async () => {
    const left = leaveOriginal(workspaceOf());
    const moved = join(dir, "搬走的 店");
    renameSync(left.workspace, moved);
    await play();
    expectGoneOn(left, await wake(moved), moved);
  });

  test("goes on in a copy, and the original stays as it was, to the byte", async () => {
    const left = leaveOriginal(workspaceOf());
    const copy = join(dir, "副本");
    cpSync(left.workspace, copy, { recursive: true, preserveTimestamps: true });
    const before = filesBelow(left.workspace);
    await play();
    expectGoneOn(left, await wake(copy), copy);
    expect(filesBelow(left.workspace)).toEqual(before);
  });

  test("goes on with its run directory elsewhere, as the original made it", async () => {
    const left = leaveOriginal(workspaceOf(), { runDir: join(dir, "runs") });
    await play();
    const { code, stdout, stderr } = await wake(dir, ["-w", left.workspace, "-r", "runs"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("干活上下文 71.4K");
    expect(coordinatorTurn().sessionId).toBe(left.steps.干活);
    expect(wire(coordinatorTurn())).toContain(REMEMBERED.firstReport);
    expectAllKept(left);
  });

  test("whose database is gone says so and begins its step anew, from the brief and the goal", async () => {
    const left = leaveOriginal(workspaceOf());
    rmSync(join(left.runDir, "sessions.db"));
    await play();
    const { code, stdout, stderr } = await wake(left.workspace);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`步骤「干活」上次的会话(${left.steps.干活})不在 sessions.db 里`);
    expectBegunAnew(left);
    expect(lineageIn(left.runDir)).toMatchObject({
      woke: 3,
      lang: "zh",
      steps: { 确认需求: left.steps.确认需求 },
    });
  });

  test("whose lineage is gone begins its step anew, in Chinese, and keeps the old conversation", async () => {
    const left = leaveOriginal(workspaceOf());
    rmSync(join(left.runDir, "lineage.json"));
    await play();
    const { code, stdout, stderr } = await wake(left.workspace);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("接上上次  需求已确认 · 目标 3 条 · 第 1 次唤醒");
    expectBegunAnew(left);
    expect(storedRows(left.runDir)).toEqual(expect.arrayContaining([...left.rows]));
    expect(lineageIn(left.runDir)).toMatchObject({ workspace: left.workspace, lang: "zh" });
  });

  test("that was still asking goes on asking in Chinese, in the session that knows the answers", async () => {
    const left = leaveOriginal(workspaceOf(), { whileClarifying: true });
    const clarified = reply(
      "## 目标\n收银台。\n\n## 验收标准\n能用。\n\n## 边界\n无。\n\n## 未知与假设\n无。",
    );
    await play({ clarifier: [clarified] });
    const { code, stderr } = await wake(left.workspace, ["--clarify-only", "收银合计算错了,请修好。"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [request] = turns(CLARIFIER_RULES.zh);
    expect(request?.sessionId).toBe(left.steps.确认需求);
    expect(request?.history().map(({ text }) => text)).toEqual(["人的回答:1.0.1"]);
    expect(existsSync(join(left.notes, "需求.md"))).toBe(true);
    expectAllKept(left);
  });
});

/** The coordinator knows the frozen documents and nothing of the old conversation, and what is on disk is still there. */
function expectBegunAnew(left: OriginalDirectory): void {
  const request = coordinatorTurn();
  expect(request.sessionId).not.toBe(left.steps.干活);
  expect(wire(request)).not.toContain(REMEMBERED.firstReport);
  for (const words of ["金额精确到分", "小票要写日期", "没有打印机"]) expect(request.prompt).toContain(words);
  expect(turns(CLARIFIER_RULES.zh)).toEqual([]);
  const rows = readJson(join(left.runDir, "manifest.json")) as { step: string }[];
  expect(rows.slice(0, 3)).toEqual(left.manifest);
  expect(rows.slice(3).map(({ step }) => step)).toEqual(["干活", "干活·判定#1"]);
  expect(lineageIn(left.runDir)["steps"]).toMatchObject({ 干活: request.sessionId });
  model.assertComplete();
}
