import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/signals.ts";

test("exit codes that scripts rely on stay what they are", () => {
  expect(EXIT).toEqual({ done: 0, stopped: 1, usage: 2, hungUp: 129, interrupted: 130, terminated: 143 });
});
