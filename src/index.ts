/** `flower-agent`: the public API, explicit and complete (SPEC 2). */
export type { CompactPolicy } from "./agent/compact-policy.ts";
export { normalize } from "./agent/normalize.ts";
export { type BuildOptions, buildOptions } from "./agent/options.ts";
export type { AgentDefinition, AgentSpec, Effort, McpServers, PermissionMode } from "./agent/spec.ts";
export type { Clock } from "./base/clock.ts";
export { FlowerError } from "./base/errors.ts";
export { defaultWindow } from "./config/window.ts";
export { Brief } from "./documents/brief.ts";
export { Goal } from "./documents/goal.ts";
export { Handoff } from "./documents/handoff.ts";
export { Verdict } from "./documents/verdict.ts";
export type { Event, EventKind, EventOf, EventPayloads, EventSink, Source } from "./events/event.ts";
export { delegateGuard } from "./guards/delegate-guard.ts";
export type {
  HookCallback,
  HookEventName,
  HookGroups,
  HookInput,
  HookMatcher,
  HookOutput,
} from "./guards/hook-types.ts";
export { indexGuard } from "./guards/index-guard.ts";
export { isolateGuard } from "./guards/isolate-guard.ts";
export { isolated, wantsIsolation } from "./guards/isolation.ts";
export { mergeHooks } from "./guards/merge-hooks.ts";
export { spillGuard } from "./guards/spill-guard.ts";
export { whitelistGuard } from "./guards/whitelist-guard.ts";
export { workbenchHooks } from "./guards/workbench-hooks.ts";
export type { Ask } from "./human/ask.ts";
export { HumanChannel, type HumanChannelOptions } from "./human/human-channel.ts";
export type { ServedTool, ToolServer } from "./human/tool-server.ts";
export type { Lang } from "./lang/lang.ts";
export { CLARIFY_RESUME } from "./lang/prompts.ts";
export { CLARIFIER_RULES } from "./lang/rules/clarifier-rules.ts";
export { COORDINATOR_RULES } from "./lang/rules/coordinator-rules.ts";
export { JUDGE_RULES } from "./lang/rules/judge-rules.ts";
export { ORACLE_RULES } from "./lang/rules/oracle-rules.ts";
export { WORKER_RULES } from "./lang/rules/worker-rules.ts";
export { classify, type ErrorClass } from "./resilience/classify.ts";
export { endpoint } from "./resilience/endpoint.ts";
export { reachable } from "./resilience/reachable.ts";
export { Resilience, type ResilienceOptions } from "./resilience/resilience.ts";
export { type ClarifyOptions, clarify } from "./roles/clarify.ts";
export { type CoordinatorOptions, coordinator } from "./roles/coordinator.ts";
export { type JudgeOptions, judge } from "./roles/judge.ts";
export { oracle } from "./roles/oracle.ts";
export { type WorkerOptions, worker } from "./roles/worker.ts";
export type { HandoffPolicy } from "./runtime/handoff-policy.ts";
export { Runtime } from "./runtime/runtime.ts";
export type { RunOptions, RuntimeOptions } from "./runtime/runtime-options.ts";
export type { StepResult } from "./runtime/step-result.ts";
export { isEphemeral } from "./shell/is-ephemeral.ts";
export type { EphemeralPolicy, PrunePolicy, TrimPolicy } from "./store/policies.ts";
export { PruningSessionStore } from "./store/pruning-session-store.ts";
export { SqliteSessionStore } from "./store/sqlite-session-store.ts";
export { trimReport } from "./store/trim-report.ts";
export { TrimmingSessionStore } from "./store/trimming-session-store.ts";
export { Workbench, type WorkbenchOptions } from "./workbench/workbench.ts";
export { type ClarifyStepOptions, clarifyStep } from "./workflow/clarify-step.ts";
export {
  BRIEF_KEY,
  type Context,
  GOAL_KEY,
  MISSING_KEY,
  ROUND_KEY,
  VERDICT_KEY,
} from "./workflow/context.ts";
export { type GoalStepOptions, goalStep } from "./workflow/goal-step.ts";
export { Lineage } from "./workflow/lineage.ts";
export { type StarterOptions, starterFlow } from "./workflow/starter-flow.ts";
export { type Step, StepAbort } from "./workflow/step.ts";
export { type WakeState, wakeState } from "./workflow/wake-state.ts";
export { type WithGoalOptions, withGoal } from "./workflow/with-goal.ts";
export { Workflow, type WorkflowOptions, type WorkflowRun } from "./workflow/workflow.ts";
