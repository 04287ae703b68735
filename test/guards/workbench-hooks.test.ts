import { describe, expect, test } from "vitest";
import type { HookMatcher } from "../../src/guards/hook-types.ts";
import { isolated } from "../../src/guards/isolation.ts";
import { mergeHooks } from "../../src/guards/merge-hooks.ts";
import { DENIED_TOOLS } from "../../src/guards/tools.ts";
import { workbenchHooks } from "../../src/guards/workbench-hooks.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { beforeCall, denial, run } from "./calls.ts";

const bench = new Workbench("/ws");
const coder = { description: "d", prompt: "p" };
const WALL = DENIED_TOOLS.join("|");
const SPILL = "Bash|Read|Grep|Glob|WebFetch|WebSearch";

function matchers(groups: Partial<Record<string, HookMatcher[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(groups).map(([event, list]) => [event, list?.map(({ matcher }) => matcher)]),
  );
}

describe("the hooks of a session", () => {
  test.each([
    ["by default", bench, {}, { PreToolUse: [WALL], PostToolUse: ["Write|Edit", SPILL] }],
    ["a coordinator is walled without a workbench too", undefined, {}, { PreToolUse: [WALL] }],
    [
      "an isolated worker",
      undefined,
      { agents: { coder: isolated(coder) } },
      { PreToolUse: [WALL, "Agent"] },
    ],
    ["no isolated worker", undefined, { agents: { coder } }, { PreToolUse: [WALL] }],
    ["no coordinator", bench, { delegateOnly: false, spillThreshold: null }, { PostToolUse: ["Write|Edit"] }],
    ["a threshold of 0", bench, { delegateOnly: false, spillThreshold: 0 }, { PostToolUse: ["Write|Edit"] }],
    ["nothing to guard", undefined, { delegateOnly: false }, {}],
  ])("%s", (_name, workbench, options, expected) => {
    expect(matchers(workbenchHooks(workbench, options))).toEqual(expected);
  });

  test("the wall's refusal names the workbench's artifacts in the directory's language", async () => {
    const [wall] = workbenchHooks(bench, { lang: "zh" }).PreToolUse ?? [];
    expect(denial(await run(wall, beforeCall("Write", {})))).toContain("写进 .flower/artifacts/");
  });

  test("a glance is passed on to the wall", async () => {
    const [wall] = workbenchHooks(undefined, { allowGlance: true }).PreToolUse ?? [];
    expect(await run(wall, beforeCall("Bash", { command: "git status" }))).toEqual({});
  });
});

describe("merging", () => {
  const hook = (matcher: string): HookMatcher => ({ matcher, hooks: [] });
  const one = hook("one");

  test("concatenates in order, keeps doubles, skips what is absent or empty, changes no argument", () => {
    const first = { PreToolUse: [one], Stop: [] };
    const second = { PreToolUse: [one, hook("two")], PostToolUse: [hook("three")] };
    expect(matchers(mergeHooks(first, null, undefined, second))).toEqual({
      PreToolUse: ["one", "one", "two"],
      PostToolUse: ["three"],
    });
    expect(first.PreToolUse).toHaveLength(1);
    expect(second.PreToolUse).toHaveLength(2);
    expect(mergeHooks()).toEqual({});
  });

  test("keeps events that our types do not name", () => {
    const group: Record<string, HookMatcher[]> = { PreCompact: [one] };
    expect(mergeHooks(group)).toEqual({ PreCompact: [one] });
  });
});
