import { expect, expectTypeOf, test } from "vitest";
import type {
  AgentSpec,
  Ask,
  CompactPolicy,
  EphemeralPolicy,
  Event,
  HandoffPolicy,
  PrunePolicy,
  Step,
  StepResult,
  TrimPolicy,
} from "../../src/index.ts";
import * as flower from "../../src/index.ts";

/** The 62 public names of SPEC 2; those that are types alone are in the second test. */
const VALUES = [
  ..."Runtime Workflow StepAbort clarifyStep goalStep withGoal starterFlow wakeState".split(" "),
  ..."BRIEF_KEY MISSING_KEY CLARIFY_RESUME GOAL_KEY VERDICT_KEY ROUND_KEY".split(" "),
  ..."coordinator worker clarify judge oracle".split(" "),
  ..."COORDINATOR_RULES WORKER_RULES CLARIFIER_RULES JUDGE_RULES ORACLE_RULES".split(" "),
  ..."buildOptions defaultWindow Brief Handoff Goal Verdict".split(" "),
  ..."whitelistGuard delegateGuard spillGuard indexGuard isolateGuard isolated wantsIsolation".split(" "),
  ..."workbenchHooks mergeHooks Workbench".split(" "),
  ..."SqliteSessionStore TrimmingSessionStore PruningSessionStore isEphemeral trimReport".split(" "),
  ..."Resilience classify endpoint reachable normalize HumanChannel Lineage".split(" "),
];

/** What we add to the original's names. */
const OURS = ["FlowerError"];

test("exactly the public values are exported", () => {
  expect(Object.keys(flower).sort()).toEqual([...VALUES, ...OURS].sort());
  expect(VALUES).toHaveLength(52);
});

test("the ten names that are types can be imported too", () => {
  expectTypeOf<StepResult["sessionId"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Step["name"]>().toEqualTypeOf<string>();
  expectTypeOf<AgentSpec["name"]>().toEqualTypeOf<string>();
  expectTypeOf<CompactPolicy>().toHaveProperty("mode");
  expectTypeOf<HandoffPolicy>().toHaveProperty("window");
  expectTypeOf<TrimPolicy>().toHaveProperty("keepRecent");
  expectTypeOf<EphemeralPolicy>().toHaveProperty("keepRecent");
  expectTypeOf<PrunePolicy>().toHaveProperty("keepDenials");
  expectTypeOf<Event["kind"]>().toExtend<string>();
  expectTypeOf<Ask["id"]>().toEqualTypeOf<string>();
});

test("literals that others build on stay what they are", () => {
  expect({
    BRIEF_KEY: flower.BRIEF_KEY,
    MISSING_KEY: flower.MISSING_KEY,
    GOAL_KEY: flower.GOAL_KEY,
    VERDICT_KEY: flower.VERDICT_KEY,
    ROUND_KEY: flower.ROUND_KEY,
    INTERRUPTED: flower.Runtime.INTERRUPTED,
    HANDOFF_DUE: flower.Runtime.HANDOFF_DUE,
  }).toEqual({
    BRIEF_KEY: "_brief",
    MISSING_KEY: "_brief_missing",
    GOAL_KEY: "_goal",
    VERDICT_KEY: "_verdict",
    ROUND_KEY: "_goal_rounds",
    INTERRUPTED: "interrupted-by-human",
    HANDOFF_DUE: "context-full-handoff",
  });
});
