import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "../../src/agent/spec.ts";
import { COORDINATOR_RULES } from "../../src/lang/rules/coordinator-rules.ts";
import { coordinator } from "../../src/roles/coordinator.ts";
import { fakeChannel } from "./fake-channel.ts";

const TASKS = ["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"];

function withTools(tools?: string[]): AgentDefinition {
  return { description: "works", prompt: "work", ...(tools === undefined ? {} : { tools }) };
}

describe("coordinator", () => {
  test("may delegate, go on with a worker, keep a list, read, glance and reach the human, and nothing else", () => {
    const spec = coordinator("lead", "", { coder: withTools(["Read"]) }, { channel: fakeChannel() });
    expect(spec.allowedTools).toEqual([
      "Agent",
      "SendMessage",
      ...TASKS,
      "Read",
      "Bash",
      "mcp__human__ask",
      "mcp__human__inbox",
    ]);
  });

  test("without reading, glancing and a channel only hands out work", () => {
    const spec = coordinator("lead", "", {}, { canRead: false, glance: false });
    expect(spec.allowedTools).toEqual(["Agent", "SendMessage", ...TASKS]);
    expect(spec.glance).toBe(false);
  });

  test("takes the web tools of its workers into the session, each once", () => {
    const workers = {
      reader: withTools(["WebSearch", "Read"]),
      writer: withTools(["WebSearch", "WebFetch", "Write"]),
    };
    const web = coordinator("lead", "", workers).allowedTools?.filter((tool) => tool.startsWith("Web"));
    expect(web).toEqual(["WebFetch", "WebSearch"]);
  });

  test("takes over no worker's tool that changes anything or costs approval for a reason", () => {
    const tools = ["Write", "Edit", "NotebookEdit", "Bash", "Glob", "Grep", "mcp__db__drop"];
    const spec = coordinator("lead", "", { coder: withTools(tools) }, { glance: false });
    expect(spec.allowedTools).toEqual(["Agent", "SendMessage", ...TASKS, "Read"]);
  });

  test("has no web tools when no worker lists one", () => {
    const spec = coordinator("lead", "", { listed: withTools(["Read"]), inherits: withTools() });
    expect(spec.allowedTools).not.toContain("WebFetch");
    expect(spec.allowedTools).not.toContain("WebSearch");
  });

  test("is walled, has the workbench, and passes its workers on untouched", () => {
    const workers = { coder: withTools(["Read"]) };
    const spec = coordinator("lead", "", workers);
    expect(spec).toMatchObject({ name: "lead", delegateOnly: true, workbench: true, glance: true });
    expect(spec.permissionMode).toBe("acceptEdits");
    expect(spec.agents).toBe(workers);
  });

  test("has only the fields that somebody decided", () => {
    expect(Object.keys(coordinator("lead", "", {}, { model: undefined, env: undefined })).sort()).toEqual([
      "agents",
      "allowedTools",
      "delegateOnly",
      "glance",
      "instructions",
      "name",
      "permissionMode",
      "workbench",
    ]);
  });

  test("hands every option on", () => {
    const given = {
      model: "opus",
      effort: "high",
      maxTurns: 7,
      maxBudgetUsd: 3,
      permissionMode: "default",
      compact: { mode: "off" },
      hooks: { Stop: [] },
      env: { A: "1" },
    } as const;
    expect(coordinator("lead", "", {}, { ...given, hooks: { Stop: [] } })).toMatchObject(given);
  });

  test("makes fresh servers for every query, and none before", () => {
    const channel = fakeChannel();
    const { mcpServers } = coordinator("lead", "", {}, { channel });
    expect(channel.made()).toBe(0);
    expect(mcpServers).toBeTypeOf("function");
    if (typeof mcpServers !== "function") return;
    expect(mcpServers()).not.toEqual(mcpServers());
    expect(channel.made()).toBe(2);
  });

  test.each(["zh", "en"] as const)("puts its instructions after the rules (%s)", (lang) => {
    const spec = coordinator("lead", "Ship on Friday.", {}, { lang });
    expect(spec.instructions).toBe(`${COORDINATOR_RULES[lang]}\n\nShip on Friday.`);
    expect(coordinator("lead", "  ", {}, { lang }).instructions).toBe(COORDINATOR_RULES[lang]);
  });

  test("speaks English unless told otherwise", () => {
    expect(coordinator("lead", "", {}).instructions).toBe(COORDINATOR_RULES.en);
  });
});
