import { beforeAll, test } from "vitest";
import { check } from "./check.ts";
import { MAIN_FAULTS, MAIN_THREAD } from "./matrix.ts";
import { type Played, playScene } from "./play.ts";
import { done, look, SCENES } from "./scenes.ts";

let undisturbed: Played;

beforeAll(async () => {
  undisturbed = await playScene(() => ({ scenario: [look, done] }), { hasGateway: true });
});

test.each(MAIN_FAULTS)("%s", async (fault) => {
  const { on, off } = MAIN_THREAD[fault];
  // What goes through the gateway as it is goes on as without it: that is played once, in without-gateway.test.ts.
  const goOn = on === off ? undefined : () => done;
  check(await playScene(SCENES[fault], { hasGateway: true, goOn }), on, undisturbed);
});
