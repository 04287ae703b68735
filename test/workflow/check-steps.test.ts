import { describe, expect, test } from "vitest";
import { checkSteps } from "../../src/workflow/check-steps.ts";
import type { Step } from "../../src/workflow/step.ts";
import { specOf } from "../support/run-world.ts";

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  spec: specOf(),
  prompt: "p",
  ...more,
});

describe("a list of steps", () => {
  test.each(["", "  ", "_results", "toString", "__proto__", "work#round2"])(
    "has no step called %j",
    (name) => {
      expect(() => checkSteps([step("a"), step(name)], [], "en")).toThrow(
        expect.objectContaining({ code: "workflow/bad-step-name", hint: expect.any(String) }),
      );
    },
  );

  test("has no two steps of one name", () => {
    expect(() => checkSteps([step("a"), step("b"), step("a")], [], "zh")).toThrow(
      expect.objectContaining({ code: "workflow/duplicate-step", message: expect.stringContaining("「a」") }),
    );
  });

  test("resumes what came before or was there already, and nothing else", () => {
    const later = [step("b", { resumeFrom: "a" }), step("a")];
    expect(() => checkSteps(later, [], "en")).toThrow(
      expect.objectContaining({ code: "workflow/no-session" }),
    );
    expect(() => checkSteps(later, ["a"], "en")).not.toThrow();
    expect(() => checkSteps([step("a"), step("b", { resumeFrom: "a", fork: true })], [], "en")).not.toThrow();
  });

  test("may have any other names", () => {
    expect(() => checkSteps([step("确认需求"), step("a·b 1")], [], "en")).not.toThrow();
  });
});
