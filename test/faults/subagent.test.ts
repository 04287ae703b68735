import { beforeAll, describe, test } from "vitest";
import { check } from "./check.ts";
import { SUBAGENT, type SubagentFault } from "./matrix.ts";
import { type Played, playScene } from "./play.ts";
import { LEAD, SUBAGENT_SCENES, sendWorker } from "./subagent-scenes.ts";

let undisturbed: Played;

beforeAll(async () => {
  undisturbed = await playScene(() => ({ scenario: sendWorker() }), { hasGateway: true, spec: LEAD });
});

const faults = Object.keys(SUBAGENT) as SubagentFault[];

describe.each(["on", "off"] as const)("in a subagent, with the gateway %s", (gateway) => {
  test.each(faults)("%s", async (fault) => {
    const played = await playScene(SUBAGENT_SCENES[fault], { hasGateway: gateway === "on", spec: LEAD });
    check(played, SUBAGENT[fault][gateway], undisturbed);
  });
});
