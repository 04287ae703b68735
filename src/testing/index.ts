/** `flower-agent/testing`: a model that answers from a script, for the real SDK and the real CLI. */
export type { AnswerKind, ModelCall, OtherRequest } from "./call-log.ts";
export { type ChildEnvironmentOptions, SCRIPTED_API_KEY } from "./environment.ts";
export {
  modelNotFound,
  overloaded,
  promptTooLong,
  rateLimited,
  serverError,
  unauthorized,
} from "./failures.ts";
export type { ContentBlock, ModelMessage, ModelRequest, RequestKind, ToolExchange } from "./model-request.ts";
export {
  allOf,
  hasTool,
  isMain,
  isSubagent,
  not,
  promptIncludes,
  type RequestPredicate,
  systemIncludes,
} from "./predicates.ts";
export {
  type Responder,
  type Route,
  type Routes,
  route,
  type Scenario,
  type ScriptEntry,
} from "./scenario.ts";
export {
  type CutPoint,
  DEFAULT_USAGE,
  type DelayStep,
  type DropStep,
  type ErrorStep,
  type ReplyOptions,
  type ReplyStep,
  type ScriptedToolCall,
  type ScriptedUsage,
  type ScriptStep,
  type StallStep,
} from "./script-step.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./scripted-model.ts";
export { ScriptedModelError } from "./scripted-model-error.ts";
export { delay, drop, error, reply, stall, toolCall } from "./steps.ts";
