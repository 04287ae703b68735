import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { markedProcesses } from "../../src/agent/processes.ts";
import type { Event } from "../../src/events/event.ts";
import { worker } from "../../src/roles/worker.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { type ModelRequest, reply, type ScriptStep, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const patient = "node -e 'setTimeout(() => {}, 30000)'";
const lead = () =>
  specOf({
    allowedTools: ["Agent", "SendMessage", "Bash"],
    agents: { coder: worker("works", "You work.") },
  });
/** Every event says which CLI it came from by its session only: the processes are counted. */
const cliCount = (runtime: Runtime): number =>
  markedProcesses("FLOWER_RUN_DIR", runtime.runDir).filter(({ env }) => !env.has("CLAUDE_PID")).length;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const bashCalls = (request: ModelRequest): number =>
  request.history().filter(({ tool }) => tool === "Bash").length;
const words = (): string => readFileSync(join(world.workspace, "words"), "utf8");

/** A worker whose calls each write their number, the last ones after the interrupt; the lead reports what it hears. */
function withWorker(calls: number): (request: ModelRequest) => ScriptStep {
  return (request) => {
    if (request.agent === "subagent") {
      const done = bashCalls(request);
      if (done < calls)
        return toolCall("Bash", { command: `sleep 0.8; echo ${done} >> words; echo ${done}` });
      return reply("THE REPORT");
    }
    const begun = request.history().some(({ tool }) => tool === "Agent");
    if (!begun) return toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" });
    if (request.latest.includes("THE REPORT")) return reply("report read");
    return reply("understood");
  };
}

describe("an interrupt", () => {
  test("cuts a long command at once; the words are heard in the same process and session", async () => {
    const model = await world.play([toolCall("Bash", { command: patient }), reply("as you wish")]);
    const runtime = world.runtime();
    let askedAt = 0;
    let stoppedAt = 0;
    let processes = 0;
    const sessions: string[] = [];
    const result = await runtime.run(specOf(), "wait", {
      onSession: (id) => sessions.push(id),
      onEvent: ({ kind }) => {
        if (kind === "tool_call")
          setTimeout(() => {
            askedAt = Date.now();
            runtime.interrupt("Do it in blue.");
          }, 500);
        if (kind === "result" && stoppedAt === 0) {
          stoppedAt = Date.now();
          processes = cliCount(runtime);
        }
      },
    });
    expect(result).toMatchObject({ ok: true, text: "as you wish", closing: "as you wish", attempts: 1 });
    expect(sessions).toEqual([result.sessionId]);
    expect(processes).toBe(1);
    expect(markedProcesses("FLOWER_RUN_DIR", runtime.runDir)).toEqual([]);
    // A generous bound on a loaded machine; bench/interrupt.bench.ts measures it.
    expect(stoppedAt - askedAt).toBeLessThan(2_000);
    const prompt = model.calls.at(-1)?.request?.prompt;
    expect(prompt).toContain("Do it in blue.");
    expect(prompt).toContain(Runtime.INTERRUPT_NOTE.en);
    expect(model.calls).toHaveLength(2);
  }, 60_000);

  test("leaves a subagent at work, whose report comes; nothing is done twice", async () => {
    const model = await world.play(withWorker(4));
    const runtime = world.runtime();
    let asked = false;
    const result = await runtime.run(lead(), "count", {
      onEvent: ({ kind, payload }) => {
        if (kind !== "tool_result" || asked || !("agent_id" in payload)) return;
        asked = true;
        runtime.interrupt("Hurry.");
      },
    });
    expect(asked).toBe(true);
    expect(result).toMatchObject({ ok: true, attempts: 1, resumed: false });
    expect(result.text).toContain("report read");
    expect(words()).toBe("0\n1\n2\n3\n");
    const agents = new Set(model.calls.flatMap(({ request }) => request?.agentId ?? []));
    expect(agents.size).toBe(1);
    const heard = model.calls.findIndex(({ request }) => request?.prompt.includes("Hurry."));
    const last = model.calls.findLastIndex(({ request }) => request?.agent === "subagent");
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(last);
    // Nobody was cut off, so nobody waits to be gone on with.
    expect(existsSync(join(runtime.runDir, "in-flight", `${runtime.runId}-1.json`))).toBe(false);
  }, 60_000);

  test("can be followed by another", async () => {
    const model = await world.play((request) => {
      if (request.prompt.includes("Second.")) return reply("both heard");
      return toolCall("Bash", { command: patient });
    });
    const runtime = world.runtime();
    let calls = 0;
    const result = await runtime.run(specOf(), "wait", {
      onEvent: ({ kind }) => {
        if (kind !== "tool_call") return;
        calls += 1;
        setTimeout(() => runtime.interrupt(calls === 1 ? "First." : "Second."), 300);
      },
    });
    expect(result).toMatchObject({ ok: true, text: "both heard", attempts: 1 });
    const prompts = model.calls.map(({ request }) => request?.prompt ?? "");
    expect(prompts.filter((prompt) => prompt.includes("First."))).toHaveLength(1);
  }, 60_000);

  test("asked for twice in one breath says both", async () => {
    const model = await world.play((request) => {
      const said = JSON.stringify(request.messages);
      if (said.includes("First.") && said.includes("Second.")) return reply("both heard");
      // Longer than the test: words that wait for its end are not heard.
      return toolCall("Bash", { command: "node -e 'setTimeout(() => {}, 90000)'" });
    });
    const runtime = world.runtime();
    let asked = false;
    const result = await runtime.run(specOf(), "wait", {
      onEvent: ({ kind }) => {
        if (kind !== "tool_call" || asked) return;
        asked = true;
        runtime.interrupt("First.");
        runtime.interrupt("Second.");
      },
    });
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    expect(result.text).toContain("both heard");
    expect(model.calls.length).toBeLessThanOrEqual(4);
  }, 60_000);

  test("without words says the note alone, and nothing when the turn has ended", async () => {
    const model = await world.play([toolCall("Bash", { command: patient }), reply("going on")]);
    const runtime = world.runtime();
    const result = await runtime.run(specOf(), "wait", {
      onEvent: ({ kind }) => {
        if (kind === "tool_call") setTimeout(() => runtime.interrupt(), 300);
        if (kind === "result" && model.calls.length === 2) runtime.interrupt();
      },
    });
    expect(result).toMatchObject({ ok: true, text: "going on" });
    // What stands before it is the CLI's own mark of the cut.
    const prompts = model.calls.map(({ request }) => request?.prompt);
    expect(prompts).toEqual([
      "wait",
      expect.stringMatching(/^\[Request interrupted by user[^\n]*\n\[The human/),
    ]);
    expect(prompts[1]).toContain(Runtime.INTERRUPT_NOTE.en);
  }, 60_000);

  test("resumes with the subagent named where the process cannot spare it", async () => {
    let isSlow = true;
    const model = await world.play((request) => {
      if (request.agent === "subagent") {
        if (bashCalls(request) > 0 || !isSlow) return reply("THE REPORT");
        return toolCall("Bash", { command: patient });
      }
      const id = /coder: (\w+)/.exec(request.prompt)?.[1];
      const resumed = request.history().some(({ tool }) => tool === "SendMessage");
      if (id !== undefined && !resumed)
        return toolCall("SendMessage", { to: id, summary: "on", message: "Go on." });
      if (resumed || request.history().some(({ tool }) => tool === "Agent")) return reply("done");
      return toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" });
    });
    // Whoever has switched background tasks off.
    const env = world.env({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" });
    const runtime = world.runtime({ env });
    const result = await runtime.run(lead(), "go", {
      onEvent: ({ kind, payload }) => {
        if (kind !== "tool_call" || !("agent_id" in payload) || !isSlow) return;
        isSlow = false;
        setTimeout(() => runtime.interrupt("Hurry."), 300);
      },
    });
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    const agents = new Set(model.calls.flatMap(({ request }) => request?.agentId ?? []));
    expect(agents.size).toBe(1);
    const told = model.calls.find(({ request }) => request?.prompt.includes("Hurry."))?.request?.prompt;
    expect(told).toContain([...agents][0] ?? "?");
  }, 60_000);
});

test("a slow listener and a failing one change neither the run nor the order of what is told", async () => {
  await world.play([toolCall("Bash", { command: "echo hi" }), reply("done")]);
  const runtime = world.runtime();
  const begun: string[] = [];
  const listen = async ({ kind }: Event): Promise<void> => {
    if (kind === "system") return;
    begun.push(kind);
    await sleep(kind === "tool_call" ? 200 : 1);
    throw new Error("a front end with a fault");
  };
  const result = await runtime.run(specOf(), "go", { onEvent: (event): unknown => listen(event) });
  expect(result).toMatchObject({ ok: true, text: "done" });
  expect(begun).toEqual(["tool_call", "tool_result", "text", "result"]);
});
