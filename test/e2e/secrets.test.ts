import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { error, reply, type ScriptedModel, startScriptedModel, toolCall } from "../../src/testing/index.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";

/** The real key is in flower's memory and in the requests to the API, and nowhere else. */

let dir: string;
let workspace: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-secret-"));
  workspace = join(dir, "work");
  mkdirSync(workspace);
});

afterEach(async () => {
  await endFlowers();
  await model?.close();
  model = undefined;
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const KEY = "sk-ant-api03-the-real-key-0123456789-abcdefghij";

/**
 * Looks for the key in the environment and the command line of every process of the machine, as any tool could, and
 * says which hold it. It knows the key backwards, so that it does not find itself.
 */
const SCAN = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
const key = ${JSON.stringify(Array.from(KEY).reverse().join(""))}.split("").reverse().join("");
const holds = (path) => {
  try {
    return readFileSync(path, "latin1").includes(key);
  } catch {
    return false;
  }
};
// esbuild translates a checkout as it runs; what is installed has been.
const isCompiler = (pid) => readFileSync("/proc/" + pid + "/cmdline", "latin1").includes("esbuild");
const found = readdirSync("/proc").filter((pid) => /^\\d+$/.test(pid))
  .filter((pid) => holds("/proc/" + pid + "/environ") || holds("/proc/" + pid + "/cmdline"))
  .filter((pid) => !isCompiler(pid));
writeFileSync(process.argv[2], JSON.stringify({ found, own: JSON.stringify(process.env).includes(key) }));
`;

/** Every file below a directory that holds the key. */
function filesWithKey(below: string): readonly string[] {
  return readdirSync(below, { recursive: true, encoding: "utf8" })
    .map((name) => join(below, name))
    .filter((path) => existsSync(path) && statSync(path).isFile())
    .filter((path) => readFileSync(path, "latin1").includes(KEY));
}

const scanned = (name: string): unknown => JSON.parse(readFileSync(join(workspace, name), "utf8"));

/** A run in which the main thread and a subagent scan; flower's pid, and how it ended. */
async function run(env: Readonly<Record<string, string>>): Promise<{ pid: string; exit: FlowerExit }> {
  writeFileSync(join(workspace, "scan.mjs"), SCAN);
  const scan = (name: string) => toolCall("Bash", { command: `node scan.mjs ${name}; env` });
  model = await startScriptedModel((request) => {
    const calls = request.history();
    if (request.agent === "subagent") return calls.length === 0 ? scan("worker.json") : reply("scanned");
    if (calls.length === 0) return scan("main.json");
    const agent = {
      description: "d",
      prompt: "p",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    return calls.length === 1 ? toolCall("Agent", agent) : reply("done");
  });
  const temporary = join(dir, "tmp");
  mkdirSync(temporary);
  const endpoint = {
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
    TMPDIR: temporary,
  };
  const process = startFlower(["once", "scan", "-v", "--tools", "Bash,Agent"], {
    cwd: workspace,
    env: bareEnv(join(dir, "home"), { ...endpoint, ...env }),
  });
  return { pid: String(process.pid), exit: await process.ended };
}

describe("the real key", () => {
  test("from a file of the user's is in no process, no file and no output", async () => {
    const config = join(dir, "home", ".config", "flower");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, ".env"), `ANTHROPIC_API_KEY=${KEY}\n`);
    const { exit } = await run({});
    expect(exit).toMatchObject({ code: 0 });
    expect(scanned("main.json")).toEqual({ found: [], own: false });
    expect(scanned("worker.json")).toEqual({ found: [], own: false });
    expect(filesWithKey(dir)).toEqual([join(config, ".env")]);
    expect(exit.stdout + exit.stderr).not.toContain(KEY);
  }, 60_000);

  test("from the environment is where the shell put it, in flower's own process, and nowhere else", async () => {
    const { pid, exit } = await run({ ANTHROPIC_API_KEY: KEY });
    expect(exit).toMatchObject({ code: 0 });
    expect(scanned("main.json")).toEqual({ found: [pid], own: false });
    expect(scanned("worker.json")).toEqual({ found: [pid], own: false });
    expect(filesWithKey(dir)).toEqual([]);
    expect(exit.stdout + exit.stderr).not.toContain(KEY);
  }, 60_000);

  test("that the API repeats in its refusal is told to nobody", async () => {
    model = await startScriptedModel(() => error(400, { message: `cannot use the key ${KEY}` }));
    const exit = await startFlower(["once", "go", "-v"], {
      cwd: workspace,
      env: bareEnv(join(dir, "home"), {
        ANTHROPIC_BASE_URL: model.baseUrl,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_MAX_RETRIES: "0",
      }),
    }).ended;
    expect(exit.code).not.toBe(0);
    expect(exit.stdout + exit.stderr).toContain("cannot use the key");
    expect(exit.stdout + exit.stderr).not.toContain(KEY);
    expect(filesWithKey(dir)).toEqual([]);
  }, 60_000);
});
