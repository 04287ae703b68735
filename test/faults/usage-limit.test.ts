import { afterEach, describe, expect, test } from "vitest";
import type { EventOf } from "../../src/events/event.ts";
import { error, type ScriptStep } from "../../src/testing/index.ts";
import { specOf } from "../support/run-world.ts";
import { type FaultWorld, makeFaultWorld } from "./fault-world.ts";
import { ERROR_TEXT } from "./observe.ts";
import { done, look } from "./scenes.ts";

const HOUR_MS = 3_600_000;

let world: FaultWorld;

afterEach(() => world.end());

const retries = (): readonly EventOf<"retry">[] =>
  world.events.filter((event): event is EventOf<"retry"> => event.kind === "retry");

/** A limit of the plan, as the API refuses a request with it. */
function limited(resetMs: number): ScriptStep {
  return error(429, {
    message: "This request would exceed your account's rate limit. Please try again later.",
    headers: {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(Math.round(resetMs / 1000)),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
    },
  });
}

/** The CLI tells the time only to those who have logged in; a key gets "Request rejected (429)" (2.1.332). */
function logIn(env: Record<string, string>): void {
  env["CLAUDE_CODE_OAUTH_TOKEN"] = "sk-ant-oat01-of-nobody";
  delete env["ANTHROPIC_API_KEY"];
  env["ANTHROPIC_AUTH_TOKEN"] = "";
}

async function run(hasGateway: boolean, inMs: number) {
  world = makeFaultWorld(hasGateway);
  await world.start();
  world.play([look, limited(world.clock.now() + inMs), done]);
  const runtime = world.runtime({ timeZone: "UTC" });
  // After the runtime has seen a credential.
  if (!hasGateway) logIn(world.env);
  return runtime.run(specOf(), "go", { onEvent: world.onEvent });
}

describe.each([true, false])("a usage limit, with the gateway: %s", (hasGateway) => {
  test("that is lifted in four hours is waited for, and told", async () => {
    const result = await run(hasGateway, 4 * HOUR_MS);
    expect(result).toMatchObject({ ok: true, text: "all done", attempts: hasGateway ? 1 : 2 });
    const [wait] = retries();
    expect(wait?.payload.phase).toBe("backoff");
    expect(wait?.text).toMatch(/waiting until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d/);
    expect(wait?.payload.wait_ms).toBeGreaterThan(3.9 * HOUR_MS);
    expect(wait?.payload.wait_ms).toBeLessThan(4.1 * HOUR_MS);
    for (const { request } of world.model.calls)
      expect(JSON.stringify(request.messages)).not.toMatch(ERROR_TEXT);
  });

  test("that is lifted in three days ends the step, with the time", async () => {
    const result = await run(hasGateway, 72 * HOUR_MS);
    expect(result.ok).toBe(false);
    expect(result.error).toMatch(/lifted at \d{4}-\d\d-\d\d \d\d:\d\d.*at most 24 h/s);
    expect(retries().map(({ payload }) => payload.phase)).toEqual(hasGateway ? ["gave_up"] : []);
  });
});
