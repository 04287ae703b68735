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
  const played = await playScene(SCENES[fault], { hasGateway: false, goOn: () => done });
  check(played, MAIN_THREAD[fault].off, undisturbed);
});
