import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { LIBRARY } from "../support/built-command.ts";
import { bareEnv, endFlowers, type FlowerExit, startFlower } from "../support/flower.ts";
import { leaveOriginal, storedRows } from "../support/original-directory.ts";

let dir: string;
let workspace: string;
/** Must never be asked anything. */
let model: ScriptedModel;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "flower-bad-"));
  workspace = join(dir, "workspace");
  mkdirSync(workspace);
  model = await startScriptedModel([]);
});

afterEach(async () => {
  await endFlowers();
  const { calls, otherRequests } = model;
  await model.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  expect([...calls, ...otherRequests]).toEqual([]);
});

/** An undefined value takes a variable away. */
function flower(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<FlowerExit> {
  const all = bareEnv(join(dir, "home"), {
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: "sk-dummy",
  });
  const given = Object.entries({ ...all, ...env }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return startFlower(args, { cwd: workspace, env: Object.fromEntries(given) as Record<string, string> })
    .ended;
}

/** The one line of an error, with the exit code. */
const oneLine = ({ code, stdout, stderr }: FlowerExit): string => {
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^x [^\n]+\n$/);
  return `${code} ${stderr.trim()}`;
};

describe("what cannot be meant is one line and nothing is written", () => {
  test.each([[["--budget", "-5"]], [["--window", "200"]]])("a till %j", async (args) => {
    const line = oneLine(await flower(["a till", ...args]));
    expect(line).toMatch(/^2 x /);
    expect(line).toContain(args[0]?.split("=")[0]);
    expect(readdirSync(workspace)).toEqual([]);
  });

  test("a window in the environment that is no number", async () => {
    expect(oneLine(await flower(["a till"], { FLOWER_WINDOW: "200k" }))).toBe(
      '1 x FLOWER_WINDOW is "200k", not a number of tokens. Set it to a whole number such as 200000, or unset it.',
    );
    expect(readdirSync(workspace)).toEqual([]);
  });
});

describe("a base URL that is none says where it came from, and is not repeated", () => {
  const SECRET = "hunter2-is-my-password";

  test("from the environment", async () => {
    const url = `https://me:${SECRET}@api.example.com`;
    const line = oneLine(await flower(["a till", "-v"], { ANTHROPIC_BASE_URL: url }));
    expect(line).toContain(
      "1 x ANTHROPIC_BASE_URL (from the process environment) holds a user name or a password",
    );
    expect(line).not.toMatch(/hunter2|api\.example/);
    expect(readdirSync(workspace)).toEqual([]);
  });

  test.each([
    ["a .env file", () => join(workspace, ".env"), (url: string) => `ANTHROPIC_BASE_URL="${url}"\n`],
    [
      "Claude Code's settings",
      () => join(dir, "home", ".claude", "settings.json"),
      (url: string) => JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } }),
    ],
  ])("from %s", async (_what, path, text) => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), text(`wss://me:${SECRET}@api.example.com`));
    const before = readdirSync(workspace);
    const line = oneLine(await flower(["a till", "-v"], { ANTHROPIC_BASE_URL: undefined }));
    expect(line).toContain(`1 x ANTHROPIC_BASE_URL (from ${path()}) is not an http or https address.`);
    expect(line).not.toMatch(/hunter2|api\.example/);
    expect(readdirSync(workspace)).toEqual(before);
  });
});

test("an unknown session is told in the language of the directory, which keeps what it has", async () => {
  const left = leaveOriginal(workspace);
  const books = ["manifest.json", "lineage.json"].map((name) => join(left.runDir, name));
  const before = books.map((path) => readFileSync(path, "utf8"));
  const { code, stderr } = await flower(["once", "接着做", "--resume", "no-such-session"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^x \S+\/runs 里没有 id 为「no-such-session」或以它开头的会话。可选的有:\w{8}[^\n]*\n$/,
  );
  expect(books.map((path) => readFileSync(path, "utf8"))).toEqual(before);
  expect(storedRows(left.runDir)).toEqual(left.rows);
});

test("a workflow with two steps of one name is refused before its first step", async () => {
  const library = pathToFileURL(LIBRARY).href;
  writeFileSync(
    join(workspace, "flow.ts"),
    `import { Workflow } from ${JSON.stringify(library)};
     const step = { name: "same", spec: { name: "a", instructions: "" }, prompt: "hi" };
     export const twice = new Workflow([step, step]);`,
  );
  const { code, stderr } = await flower(["run", "flow.ts:twice"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^x two steps are called "same"\. Give each its own name[^\n]+\n$/);
});
