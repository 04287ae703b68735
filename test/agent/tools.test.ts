import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  COORDINATOR_TOOLS,
  READ_TOOLS,
  TASK_LIST_TOOLS,
  TOOLS_READ_FROM,
  WEB_TOOLS,
  WORKER_TOOLS,
} from "../../src/agent/tools.ts";
import { BUILTIN_TOOLS } from "../../src/guards/tools.ts";

const GROUPS = [COORDINATOR_TOOLS, TASK_LIST_TOOLS, READ_TOOLS, WEB_TOOLS, WORKER_TOOLS].flat();

describe("the table of the SDK's tools", () => {
  test("was read from the SDK that is installed (read it again before changing this number)", () => {
    const manifest = new URL(
      "../../node_modules/@anthropic-ai/claude-agent-sdk/package.json",
      import.meta.url,
    );
    expect(JSON.parse(readFileSync(manifest, "utf8")).version).toBe(TOOLS_READ_FROM.sdk);
  });

  test("has exactly these groups", () => {
    expect(TASK_LIST_TOOLS).toEqual(["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]);
    expect(COORDINATOR_TOOLS).toEqual([
      "Agent",
      "SendMessage",
      "TaskCreate",
      "TaskGet",
      "TaskList",
      "TaskUpdate",
    ]);
    expect(READ_TOOLS).toEqual(["Read", "Glob", "Grep"]);
    expect(WEB_TOOLS).toEqual(["WebFetch", "WebSearch"]);
    expect(WORKER_TOOLS).toEqual(["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"]);
  });

  test("names only tools whose use the guards know", () => {
    const known = BUILTIN_TOOLS.map(({ name }) => name);
    expect(GROUPS.filter((tool) => !known.includes(tool))).toEqual([]);
  });

  test("no longer names TodoWrite, which a session of today refuses as an unknown tool", () => {
    expect(GROUPS).not.toContain("TodoWrite");
  });
});
