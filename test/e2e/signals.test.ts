import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import { type ScriptedModel, stall, startScriptedModel } from "../../src/testing/index.ts";
import { LIBRARY } from "../support/built-command.ts";
import { bareEnv, endFlowers, type FlowerProcess, startFlower } from "../support/flower.ts";

let dir: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "flower-signal-"));
  mkdirSync(join(dir, "work"));
});

afterEach(async () => {
  await endFlowers();
  await model?.close();
  model = undefined;
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function flower(...args: readonly string[]): FlowerProcess {
  const env = { ANTHROPIC_API_KEY: "sk-dummy", ANTHROPIC_MODEL: "claude-sonnet-4-5" };
  const endpoint: Record<string, string> = model === undefined ? {} : { ANTHROPIC_BASE_URL: model.baseUrl };
  return startFlower(args, {
    cwd: join(dir, "work"),
    env: bareEnv(join(dir, "home"), { ...env, ...endpoint }),
  });
}

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s in the middle of a turn ends with %i, the row in the books and nothing running",
  async (signal, exit) => {
    let asked: () => void = () => undefined;
    const waiting = new Promise<void>((done) => {
      asked = done;
    });
    model = await startScriptedModel(() => {
      asked();
      return stall();
    });
    const running = flower("once", "hello");
    await waiting;
    running.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(exit);
    expect(stderr).toBe("");
    expect(stdout).toContain("the books are written");
    const rows = JSON.parse(readFileSync(join(dir, "work", "runs", "manifest.json"), "utf8")) as unknown;
    expect(rows).toEqual([expect.objectContaining({ step: "once", ok: false, error: "killed-by-signal" })]);
    expect(markedProcesses("FLOWER_RUN_DIR", join(dir, "work", "runs"))).toEqual([]);
  },
);

/** A workflow of the user's own whose only step never gets as far as a CLI: `when` is the body of a promise. */
function ownFlow(when: string): void {
  const events = new URL("../../src/events/event.ts", import.meta.url).href;
  writeFileSync(
    join(dir, "work", "flow.ts"),
    `import { Workflow } from ${JSON.stringify(pathToFileURL(LIBRARY).href)};
     import { createEvent } from ${JSON.stringify(events)};
     const say = (context, text) => context._on_event(createEvent("text", {}, { text }));
     const when = (context) => new Promise((resolve, reject) => { ${when} });
     export default new Workflow([{ name: "own", spec: { name: "a", instructions: "" }, prompt: "hi", when }]);`,
  );
}

test("who does not want to wait for a gate of the user's that hangs leaves with a second signal", async () => {
  ownFlow(`say(context, "hanging"); setInterval(() => undefined, 1000);`);
  const hanging = flower("run", "flow.ts");
  await hanging.printed("hanging");
  hanging.kill("SIGTERM");
  await hanging.printed("the books are written");
  hanging.kill("SIGINT");
  expect(await hanging.ended).toMatchObject({ code: 143, stderr: "" });
});

test("a reader that goes away, as head does, ends flower in order and without a stack trace", async () => {
  ownFlow(`const timer = setInterval(() => say(context, "still here"), 20);
     context._signal.addEventListener("abort", () => { clearInterval(timer); reject(context._signal.reason); });`);
  const piped = flower("run", "flow.ts");
  await piped.printed("still here");
  piped.stopReading();
  expect(await piped.ended).toMatchObject({ code: 129, stderr: "" });
});
