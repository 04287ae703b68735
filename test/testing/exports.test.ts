import { expect, test } from "vitest";
import * as testing from "../../src/testing/index.ts";

test("flower-agent/testing exports these values and no others", () => {
  expect(Object.keys(testing).toSorted()).toEqual([
    "DEFAULT_USAGE",
    "SCRIPTED_API_KEY",
    "ScriptedModelError",
    "allOf",
    "delay",
    "drop",
    "error",
    "hasTool",
    "isMain",
    "isSubagent",
    "modelNotFound",
    "not",
    "overloaded",
    "promptIncludes",
    "promptTooLong",
    "rateLimited",
    "reply",
    "route",
    "serverError",
    "stall",
    "startScriptedModel",
    "systemIncludes",
    "toolCall",
    "unauthorized",
  ]);
});
