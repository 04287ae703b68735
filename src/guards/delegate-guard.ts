import { FlowerError } from "../base/errors.ts";
import type { Lang } from "../lang/lang.ts";
import { guardMessages } from "../lang/messages/guards.ts";
import { isEphemeral } from "../shell/is-ephemeral.ts";
import { beforeTool, type Decision, deny, type GuardOptions, PASS } from "./hook-answers.ts";
import type { HookMatcher } from "./hook-types.ts";
import type { ToolCall } from "./tool-call.ts";
import { DENIED_TOOLS, toolName, useOf } from "./tools.ts";

export interface DelegateOptions extends GuardOptions {
  /** What the main thread must not use. Default: every built-in tool that works, starts, moves or publishes something. */
  readonly tools?: readonly string[] | undefined;
  /** A Bash command passes when its result goes stale (`isEphemeral`). Default false. */
  readonly allowGlance?: boolean | undefined;
  /** Where workers put long output, as agents are told it; absent without a workbench. */
  readonly artifactsPath?: string | undefined;
}

/**
 * The wall around a coordinator: its main thread delegates instead of working. Subagents always pass.
 *
 * Contract: what passes as a glance is by construction what expires from the history, because one function
 * decides both.
 *
 * Throws `guards/bad-tool-name` for a pattern: the decision compares names, and a wall that matches nothing is none.
 */
export function delegateGuard(options: DelegateOptions = {}): HookMatcher {
  const tools = (options.tools ?? DENIED_TOOLS).map(plainName);
  return beforeTool(tools, (call) => delegateDecision(call, { ...options, tools }), options);
}

/** Denies `tools` to the main thread and says what to do instead. */
export function delegateDecision(call: ToolCall, options: DelegateOptions = {}): Decision {
  const { tools = DENIED_TOOLS, allowGlance = false, artifactsPath, lang = "en" } = options;
  if (!call.mainThread || !tools.includes(toolName(call.tool))) return PASS;
  if (call.tool !== "Bash") return deny(refusal(call.tool, artifactsPath, lang));
  const command = call.input.command;
  if (allowGlance && typeof command === "string" && isEphemeral(command)) return PASS;
  const reason = refusal(call.tool, artifactsPath, lang);
  return deny(allowGlance ? `${reason} ${guardMessages[lang].glance}` : reason);
}

function plainName(tool: string): string {
  const name = toolName(tool);
  if (/^[\w-]+$/.test(name)) return name;
  throw new FlowerError("guards/bad-tool-name", `"${tool}" is not the name of a tool`, {
    hint: "Name each tool by itself, without patterns.",
  });
}

function refusal(tool: string, artifactsPath: string | undefined, lang: Lang): string {
  const say = guardMessages[lang];
  switch (useOf(tool)) {
    case "starts":
      return say.starts(tool);
    case "moves":
      return say.moves(tool);
    case "schedules":
      return say.schedules(tool);
    case "publishes":
      return say.publishes(tool);
    case "steers":
      return say.steers(tool);
    case "works":
    case "looks":
    case "plans":
    case "delegates":
    case "talks":
      return say.delegate(tool, artifactsPath);
  }
}
