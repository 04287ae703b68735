import { expect, test } from "vitest";
import { laneEnvironment } from "../../src/gateway/child-environment.ts";

const LANE = { url: "http://127.0.0.1:7", key: "flower-key" };

test("a child gets the lane instead of the endpoint, and time to wait", () => {
  expect(laneEnvironment({}, LANE)).toEqual({
    ANTHROPIC_BASE_URL: "http://127.0.0.1:7",
    ANTHROPIC_API_KEY: "flower-key",
    ANTHROPIC_AUTH_TOKEN: undefined,
    ANTHROPIC_CUSTOM_HEADERS: undefined,
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
    API_TIMEOUT_MS: "86400000",
    API_FORCE_IDLE_TIMEOUT: "0",
    CLAUDE_ASYNC_AGENT_STALL_TIMEOUT_MS: "86400000",
  });
});

test("exemptions from the proxy are kept, the small letters first", () => {
  const both = { NO_PROXY: "big.example", no_proxy: "small.example,.local" };
  expect(laneEnvironment(both, LANE)).toMatchObject({
    NO_PROXY: "small.example,.local,127.0.0.1",
    no_proxy: "small.example,.local,127.0.0.1",
  });
  expect(laneEnvironment({ NO_PROXY: "big.example", no_proxy: " " }, LANE)["no_proxy"]).toBe(
    "big.example,127.0.0.1",
  );
});
