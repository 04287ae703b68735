import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import { WorkInProgress } from "../../src/agent/work-in-progress.ts";

const progressAfter = (...messages: readonly object[]): WorkInProgress => {
  const progress = new WorkInProgress();
  for (const message of messages) progress.take(message as SDKMessage);
  return progress;
};
const init = { type: "system", subtype: "init" };
const idle = { type: "system", subtype: "session_state_changed", state: "idle" };
const result = (more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  num_turns: 1,
  result: "done",
  ...more,
});
/** What a resumed session begins with when a background agent of its last process did not finish. */
const taken = [
  { type: "system", subtype: "task_notification", task_id: "a1", status: "stopped" },
  init,
  result({ num_turns: 0, result: "" }),
];

describe("a query", () => {
  test("is over with the answer to its prompt", () => {
    expect(progressAfter(init, result(), idle).isOver).toBe(true);
  });

  test("is not over with a turn that asked no model: the prompt is still on its way", () => {
    expect(progressAfter(...taken, idle)).toMatchObject({ isOver: false, rests: false, isInTurn: true });
    expect(progressAfter(...taken, init, result(), idle).isOver).toBe(true);
  });

  test("is over with an error, though no turn was counted", () => {
    expect(progressAfter(init, result({ is_error: true, num_turns: 0 }), idle).isOver).toBe(true);
  });
});
