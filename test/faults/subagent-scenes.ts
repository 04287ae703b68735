import type { AgentSpec } from "../../src/agent/spec.ts";
import { systemClock } from "../../src/base/clock.ts";
import { coordinator } from "../../src/roles/coordinator.ts";
import { worker } from "../../src/roles/worker.ts";
import {
  drop,
  type ModelRequest,
  overloaded,
  reply,
  type ScriptEntry,
  type ScriptStep,
  toolCall,
} from "../../src/testing/index.ts";
import { MODEL } from "../support/run-agent.ts";
import type { FaultWorld, Scenario } from "./fault-world.ts";
import type { SubagentFault } from "./matrix.ts";
import { done, look, type Scene } from "./scenes.ts";

/** A coordinator that sends one worker. */
export const LEAD: AgentSpec = {
  ...coordinator("lead", "", { coder: worker("works", "You work.") }),
  model: MODEL,
};

/** The worker calls a tool, meets the faults, and reports; one that was cut off is told to go on. */
export function sendWorker(...faults: readonly ScriptEntry[]): Scenario {
  const left = [look, ...faults];
  return (request, signal) => {
    if (request.agent === "main") return lead(request);
    const entry = left.shift() ?? reply("the part is done");
    return typeof entry === "function" ? entry(request, signal) : entry;
  };
}

function lead(request: ModelRequest): ScriptStep {
  const results = request.history().filter(({ tool }) => tool === "Agent" || tool === "SendMessage");
  const last = results.at(-1);
  if (last === undefined)
    return toolCall("Agent", { description: "part", prompt: "do the part", subagent_type: "coder" });
  const id = /agentId: (\w+)/.exec(last.text)?.[1];
  const isDone = last.text.includes("the part is done");
  if (isDone || id === undefined || results.length > 2) return done;
  return toolCall("SendMessage", { to: id, summary: "go on", message: "Go on where you were." });
}

const repeated =
  (step: ScriptStep): (() => Scene) =>
  () => ({ scenario: sendWorker(step, step) });

export const SUBAGENT_SCENES: Readonly<Record<SubagentFault, (world: FaultWorld) => Scene>> = {
  "529 overloaded": repeated(overloaded()),
  "cut in mid-stream": ({ hasGateway }) => ({
    scenario: sendWorker(...Array<ScriptStep>(hasGateway ? 1 : 3).fill(drop({ when: "mid-stream" }))),
  }),
  "connection refused for 60 s": (world) => ({
    scenario: sendWorker(async () => {
      world.awayForProbes(4, async () => {
        // Longer on the CLI's own clock than it waits for a subagent, by what its environment says below.
        if (world.hasGateway) await systemClock.sleep(2_000);
        await world.model.accept();
      });
      await world.model.refuse();
      return undefined;
    }),
    ...(world.hasGateway ? { env: { CLAUDE_ASYNC_AGENT_STALL_TIMEOUT_MS: "1000" } } : {}),
  }),
};
