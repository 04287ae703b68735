import { describe, expect, test } from "vitest";
import type { AgentSpec } from "../../src/agent/spec.ts";
import type { Lang } from "../../src/lang/lang.ts";
import { CLARIFIER_RULES } from "../../src/lang/rules/clarifier-rules.ts";
import { JUDGE_RULES } from "../../src/lang/rules/judge-rules.ts";
import { ORACLE_RULES } from "../../src/lang/rules/oracle-rules.ts";
import { clarify } from "../../src/roles/clarify.ts";
import { judge } from "../../src/roles/judge.ts";
import { oracle } from "../../src/roles/oracle.ts";
import type { RoleOptions } from "../../src/roles/role-options.ts";
import { fakeChannel } from "./fake-channel.ts";

const CHANNEL_FIELDS = ["allowedTools", "instructions", "mcpServers", "name", "workbench"];

function servedBy(spec: AgentSpec): unknown {
  return typeof spec.mcpServers === "function" ? spec.mcpServers() : undefined;
}

describe("clarify", () => {
  test("may ask, and look at files and the web; nothing that writes, no inbox", () => {
    expect(clarify("c", fakeChannel()).allowedTools).toEqual([
      "mcp__human__ask",
      "Read",
      "Glob",
      "Grep",
      "WebFetch",
      "WebSearch",
    ]);
  });

  test("when it may not read, only asks", () => {
    expect(clarify("c", fakeChannel(), { canRead: false }).allowedTools).toEqual(["mcp__human__ask"]);
  });

  test("has no workbench, no cap on turns and no field that nobody decided", () => {
    const spec = clarify("c", fakeChannel());
    expect(spec.workbench).toBe(false);
    expect(Object.keys(spec).sort()).toEqual(CHANNEL_FIELDS);
    expect(servedBy(spec)).toEqual({ human: { type: "stdio", command: "server-1" } });
  });
});

describe("judge", () => {
  test("may ask and look, and runs nothing unless told", () => {
    expect(judge("j", fakeChannel()).allowedTools).toEqual(["mcp__human__ask", "Read", "Glob", "Grep"]);
  });

  test("that can run has Bash besides, and still nothing that writes files", () => {
    expect(judge("j", fakeChannel(), { canRun: true }).allowedTools).toEqual([
      "mcp__human__ask",
      "Read",
      "Glob",
      "Grep",
      "Bash",
    ]);
  });

  test("has no workbench and no field that nobody decided", () => {
    const spec = judge("j", fakeChannel());
    expect(spec.workbench).toBe(false);
    expect(Object.keys(spec).sort()).toEqual(CHANNEL_FIELDS);
    expect(servedBy(spec)).toEqual({ human: { type: "stdio", command: "server-1" } });
  });
});

describe("oracle", () => {
  test("only looks, with the workbench, at a small price, and has no channel", () => {
    expect(oracle("o")).toEqual({
      name: "o",
      instructions: ORACLE_RULES.en,
      allowedTools: ["Read", "Glob", "Grep"],
      workbench: true,
      maxTurns: 12,
      maxBudgetUsd: 0.5,
    });
  });

  test("is called in the directory's language when it has no name", () => {
    expect(oracle().name).toBe("oracle");
    expect(oracle(undefined, { lang: "zh" }).name).toBe("旁路问答");
  });

  test("keeps its limits when they are given as undefined, and takes others", () => {
    expect(oracle("o", { maxTurns: undefined }).maxTurns).toBe(12);
    expect(oracle("o", { maxTurns: 3, maxBudgetUsd: 1 })).toMatchObject({ maxTurns: 3, maxBudgetUsd: 1 });
  });
});

describe("every role with a session of its own", () => {
  const roles = [
    { of: "clarify", make: (o: RoleOptions) => clarify("r", fakeChannel(), o), rules: CLARIFIER_RULES },
    { of: "judge", make: (o: RoleOptions) => judge("r", fakeChannel(), o), rules: JUDGE_RULES },
    { of: "oracle", make: (o: RoleOptions) => oracle("r", o), rules: ORACLE_RULES },
  ];
  const langs: readonly Lang[] = ["zh", "en"];

  test.each(roles)("$of puts its instructions after the rules, in both languages", ({ make, rules }) => {
    for (const lang of langs) {
      expect(make({ lang, instructions: "Only the API." }).instructions).toBe(
        `${rules[lang]}\n\nOnly the API.`,
      );
      expect(make({ lang, instructions: "" }).instructions).toBe(rules[lang]);
    }
    expect(make({}).instructions).toBe(rules.en);
  });

  test.each(roles)("$of hands the limits on", ({ make }) => {
    const limits = { model: "opus", effort: "max", maxTurns: 40, maxBudgetUsd: 2 } as const;
    expect(make(limits)).toMatchObject(limits);
  });

  test.each(roles)("$of asks for no permission mode, so that nothing is waved through", ({ make }) => {
    expect(make({})).not.toHaveProperty("permissionMode");
    expect(make({})).not.toHaveProperty("delegateOnly");
  });
});
