import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  isSubagent,
  reply,
  type ScriptedModel,
  startScriptedModel,
  toolCall,
} from "../../src/testing/index.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";

let dir: string;
let workspace: string;
let model: ScriptedModel;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "flower-sessions-"));
  workspace = join(dir, "work space");
  mkdirSync(workspace);
  model = await startScriptedModel((request) => {
    if (isSubagent(request)) return reply("the inner report");
    if (request.prompt.includes("second")) return reply("second answer");
    if (request.prompt.includes("third")) return reply("third answer");
    const called = request.history().some(({ tool }) => tool === "Agent");
    const task = { description: "look", prompt: "look closely", subagent_type: "general-purpose" };
    return called
      ? reply("first answer, \u001b[31mred\u001b[0m")
      : toolCall("Agent", { ...task, run_in_background: false });
  });
});

afterEach(async () => {
  await endFlowers();
  await model.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function flower(...args: readonly string[]): Promise<FlowerExit> {
  const env = bareEnv(join(dir, "home"), {
    CLAUDE_CODE_MAX_RETRIES: "0",
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: "sk-dummy",
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
  });
  return startFlower(args, { cwd: workspace, env }).ended;
}

async function said(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await flower(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Of the database with its log. */
const bytesOf = (database: string): number =>
  [database, `${database}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();

test("a session is listed, shown, taken out, deleted, taken in again and gone back in", async () => {
  expect(await said("sessions")).toBe(`. no sessions in ${join(workspace, "runs")}\n`);
  expect(readdirSync(workspace)).toEqual([]);

  await said("once", "do the first thing", "-t", "Agent");
  const whole = await said("sessions", "-v");
  const [id = ""] = /[\da-f-]{36}/.exec(whole) ?? [];
  const short = id.slice(0, 8);
  await said("once", "--resume", short, "now the second");
  const [titles, line, ...more] = (await said("sessions")).trimEnd().split("\n");
  expect(titles).toMatch(/^session +step +last active +turns +context +USD +size$/);
  expect(line).toMatch(
    new RegExp(`^${short}  once  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +3 +\\S+K +\\$0\\.\\d{4} +\\S+ KB$`),
  );
  expect(more).toEqual([]);

  const shown = await said("sessions", "show", short);
  const uuids =
    /^= ([\da-f-]{36}) · once · .*\n\? (\w{8}) do the first thing\n> \w{8} Agent look\n([\s\S]*)\n\* (\w{8}) first answer, red\n\? \w{8} now the second\n\* \w{8} second answer\n\. flower once --resume/.exec(
      shown,
    );
  expect(uuids, shown).not.toBeNull();
  expect(uuids?.[3]).toMatch(
    /^\| # subagent general-purpose \w+\n\| \? look closely\n\| \* the inner report\n\. /,
  );
  const at = uuids?.[4] ?? "";

  await said("sessions", "export", short, "out");
  const out = join(workspace, "out");
  const [transcript = "", ...beside] = filesBelow(out);
  expect(transcript).toBe(`${id}.jsonl`);
  expect(beside).toEqual([
    expect.stringMatching(/\/subagents\/agent-\w+\.jsonl$/),
    expect.stringMatching(/\/subagents\/agent-\w+\.meta\.json$/),
  ]);
  // As the CLI itself wrote it, as far as it is mirrored.
  const key = readdirSync(join(workspace, "runs", "claude", "projects"))[0] ?? "";
  const own = join(workspace, "runs", "claude", "projects", key);
  expect(filesBelow(own)).toEqual(filesBelow(out));
  const sidecar = beside[1] ?? "";
  expect(JSON.parse(readFileSync(join(out, sidecar), "utf8"))).toEqual(
    JSON.parse(readFileSync(join(own, sidecar), "utf8")),
  );
  const raw = await said("sessions", "show", short, "--raw");
  expect(raw.startsWith(readFileSync(join(out, transcript), "utf8"))).toBe(true);
  const again = await flower("sessions", "export", short, "out");
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain(`${join(out, transcript)} exists already`);

  const database = join(workspace, "runs", "sessions.db");
  const before = bytesOf(database);
  expect(await said("sessions", "rm", short)).toMatch(
    /^\+ deleted .*\n= 1 session deleted, [\d.]+ KB freed on the disk\n$/,
  );
  expect(bytesOf(database)).toBeLessThan(before);
  expect(existsSync(join(own, transcript))).toBe(false);
  expect((await flower("once", "--resume", short, "third")).code).toBe(1);

  // What the CLI noted of the subagent several times is one file, and so one row.
  const stored = raw.trimEnd().split("\n");
  const notes = stored.filter((row) => row.includes('"type":"agent_metadata"'));
  const rows = stored.length - notes.length + 1;
  expect(await said("sessions", "import", join("out", transcript))).toBe(
    `+ ${id}: ${rows} new rows from ${join("out", transcript)}\n`,
  );
  expect(await said("sessions", "import", join("out", transcript))).toContain(": 0 new rows from");
  expect(await said("sessions", "show", short)).toContain("the inner report");

  await said("once", "--resume", short, "--at", at, "now the third");
  const asked = JSON.stringify(model.calls.at(-1)?.request?.messages);
  for (const word of ["do the first thing", "first answer", "now the third"]) expect(asked).toContain(word);
  for (const word of ["now the second", "second answer"]) expect(asked).not.toContain(word);
  expect(await said("sessions", "show", short)).toContain(`. goes back to ${at} and on from there`);
}, 300_000);
