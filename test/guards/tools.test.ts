import { readFileSync } from "node:fs";
import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import {
  BUILTIN_TOOLS,
  DENIED_TOOLS,
  HANDS_ON_TOOLS,
  TOOLS_READ_FROM,
  toolName,
  useOf,
} from "../../src/guards/tools.ts";

describe("the table of built-in tools", () => {
  test("has every tool the SDK names, once: a new one must be classed before the SDK is raised", () => {
    const ours = BUILTIN_TOOLS.map((tool) => tool.name);
    expect(new Set(ours).size).toBe(ours.length);
    expect(ours.toSorted()).toEqual([...BUILTIN_TOOL_NAMES].sort());
  });

  test("was read from the SDK that is installed", () => {
    const manifest: unknown = JSON.parse(
      readFileSync("node_modules/@anthropic-ai/claude-agent-sdk/package.json", "utf8"),
    );
    expect(manifest).toMatchObject({ version: TOOLS_READ_FROM.sdk, claudeCodeVersion: TOOLS_READ_FROM.cli });
  });

  test("knows every former name the SDK still accepts", () => {
    for (const [former, present] of Object.entries(LEGACY_TOOL_NAME_ALIASES)) {
      expect(toolName(former)).toBe(present);
    }
  });

  test("denies exactly these to a main thread that may not work", () => {
    expect(DENIED_TOOLS.toSorted()).toEqual([
      "Artifact",
      "Bash",
      "ClaudeDesign",
      "CronCreate",
      "CronDelete",
      "Edit",
      "EnterPlanMode",
      "EnterWorktree",
      "ExitPlanMode",
      "ExitWorktree",
      "Monitor",
      "NotebookEdit",
      "PowerShell",
      "Projects",
      "PushNotification",
      "RemoteTrigger",
      "ScheduleWakeup",
      "SendFeedback",
      "SendUserFile",
      "SetGoal",
      "ShareOnboardingGuide",
      "Skill",
      "Workflow",
      "Write",
    ]);
    expect(DENIED_TOOLS).toEqual(expect.arrayContaining([...HANDS_ON_TOOLS]));
  });

  test("takes a rule for the tool it is about, and a stranger for one that works", () => {
    expect(toolName("Bash(git status *)")).toBe("Bash");
    expect(toolName("toString")).toBe("toString");
    expect(useOf("mcp__human__ask")).toBe("works");
  });
});
