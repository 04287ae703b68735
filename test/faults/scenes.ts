import {
  drop,
  error,
  modelNotFound,
  overloaded,
  promptTooLong,
  rateLimited,
  reply,
  type ScriptEntry,
  type ScriptStep,
  serverError,
  stall,
  toolCall,
  unauthorized,
} from "../../src/testing/index.ts";
import { type FaultWorld, NAME, type Scenario } from "./fault-world.ts";
import type { MainFault } from "./matrix.ts";

export const look = toolCall("Bash", { command: "echo looked", description: "look" });
export const done = reply("all done");

export interface Scene {
  readonly scenario: Scenario;
  /** Over the environment of the flower process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the name of the endpoint resolves. */
  readonly dns?: () => boolean;
}

const after = (...faults: readonly ScriptEntry[]): Scene => ({ scenario: [look, ...faults, done] });
/** The tests allow the CLI one try of its own: two failures get through to whoever is behind it. */
const twice =
  (step: ScriptStep): (() => Scene) =>
  () =>
    after(step, step);
/** The same answer to whatever comes after the first call. */
const always =
  (step: ScriptStep): (() => Scene) =>
  () => {
    let calls = 0;
    return {
      scenario: () => {
        calls += 1;
        return calls === 1 ? look : step;
      },
    };
  };

/** The endpoint goes away in the middle of the run, for as long as four looks for it take. */
function refused(world: FaultWorld): Scene {
  return after(async () => {
    world.awayForProbes(4, () => world.model.accept());
    await world.model.refuse();
    return undefined;
  });
}

function withoutDns(world: FaultWorld): Scene {
  const named = `http://${NAME}:${new URL(world.model.baseUrl).port}`;
  let isUp = world.hasGateway;
  world.awayForProbes(4, () => {
    isUp = true;
    // The CLI asks the system's own resolver, which never knows the name.
    if (!world.hasGateway) world.env["ANTHROPIC_BASE_URL"] = world.model.baseUrl;
  });
  const cut: ScriptEntry = () => {
    isUp = false;
    return drop({ when: "before-headers" });
  };
  const scene = world.hasGateway ? after(cut) : { scenario: [look, done] };
  return { ...scene, env: { ANTHROPIC_BASE_URL: named }, dns: () => isUp };
}

function silent(world: FaultWorld): Scene {
  const fault: ScriptEntry = ({ index }) => {
    if (world.hasGateway) world.silent(index, 300_000);
    return stall({ when: "before-headers" });
  };
  // Without the gateway the CLI's own time-out of ten minutes ends it.
  return world.hasGateway ? after(fault) : { ...after(fault, fault), env: { API_TIMEOUT_MS: "1500" } };
}

const long = promptTooLong({ tokens: 210_000, max: 200_000 });

export const SCENES: Readonly<Record<MainFault, (world: FaultWorld) => Scene>> = {
  "429 with retry-after": twice(rateLimited({ retryAfterS: 1 })),
  "500 server error": twice(serverError()),
  "529 overloaded": twice(overloaded()),
  "cut before the headers": twice(drop({ when: "before-headers" })),
  // Without the gateway the last try of the CLI, without a stream, is cut as well.
  "cut in mid-stream": ({ hasGateway }) =>
    after(...Array(hasGateway ? 1 : 3).fill(drop({ when: "mid-stream" }))),
  "silence before the first byte": silent,
  "connection refused for 60 s": refused,
  "DNS failure for 60 s": withoutDns,
  "401 key refused": always(unauthorized()),
  "403 forbidden": always(error(403, { message: "no permission" })),
  "404, no such model": always(modelNotFound("claude-sonnet-4-5")),
  "400, bad history": always(
    error(400, {
      message:
        "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    }),
  ),
  "prompt too long at once": () => ({ scenario: () => long }),
  "prompt too long after some turns": () => ({
    scenario: (request) =>
      request.firstPrompt.includes("[degraded") ? done : request.toolResults.length === 0 ? look : long,
  }),
  "max_tokens, again and again": always(reply({ text: "on and on", stopReason: "max_tokens" })),
  "refusal by the model": always(reply({ text: "", stopReason: "refusal" })),
  "another model served": () => ({
    scenario: [look, reply({ text: "all done", model: "claude-haiku-4-5" })],
  }),
};
