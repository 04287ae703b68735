import type { AgentSpec } from "../../src/agent/spec.ts";
import type { StepResult } from "../../src/runtime/step-result.ts";
import type { ModelCall } from "../../src/testing/index.ts";
import { specOf } from "../support/run-world.ts";
import { type FaultWorld, makeFaultWorld, playDns, type Scenario } from "./fault-world.ts";
import { type Rows, rowsOf, sent, told } from "./observe.ts";
import type { Scene } from "./scenes.ts";

/** What one run came to, without what differs from run to run. */
export interface Played {
  readonly told: string;
  readonly result: StepResult;
  readonly rows: Rows;
  readonly calls: readonly ModelCall[];
  /** What the model was sent last. */
  readonly sent: readonly string[];
  /** The session was gone on with after its end. */
  readonly wentOn: boolean;
}

export interface PlayOptions {
  readonly hasGateway: boolean;
  readonly spec?: Partial<AgentSpec>;
  /** Played after the run has failed, in the same session. */
  readonly goOn?: Scenario;
}

/** Plays a scene on the real CLI, and goes on with its session when it fails. */
export async function playScene(
  sceneOf: (world: FaultWorld) => Scene,
  { hasGateway, spec, goOn }: PlayOptions,
): Promise<Played> {
  const world = makeFaultWorld(hasGateway);
  let endDns = (): void => undefined;
  try {
    await world.start();
    const scene = sceneOf(world);
    world.play(scene.scenario);
    Object.assign(world.env, scene.env);
    if (scene.dns !== undefined) endDns = playDns(scene.dns);
    const runtime = world.runtime();
    const result = await runtime.run(specOf(spec), "go", { onEvent: world.onEvent });
    const toldNow = told(world.events);
    const sessionId = result.sessionId ?? "";
    const wentOn = !result.ok && goOn !== undefined;
    if (wentOn) {
      world.play(goOn);
      await runtime.run(specOf(spec), "go on", { resume: sessionId });
    }
    const { calls } = world.model;
    return {
      told: toldNow,
      result,
      rows: await rowsOf(runtime, sessionId),
      calls,
      sent: sent(calls.at(-1)),
      wentOn,
    };
  } finally {
    endDns();
    await world.end();
  }
}
