import { spokenText } from "./conversation.ts";
import type { ModelRequest } from "./model-request.ts";

/** Ways to tell calls apart, for the `when` of a route; combine them with `allOf`, `not` or a function of your own. */
export type RequestPredicate = (request: ModelRequest) => boolean;

/** A call of the main thread. */
export const isMain: RequestPredicate = (request) => request.agent === "main";

/** A call of any subagent. */
export const isSubagent: RequestPredicate = (request) => request.agent === "subagent";

/** The system prompt contains `text`: tells roles apart. */
export function systemIncludes(text: string): RequestPredicate {
  return (request) => request.system.includes(text);
}

/**
 * Some user message of the conversation contains `text`, reminders aside. It looks at all of them, so that it
 * still holds in the tool rounds after the prompt; test `request.prompt` yourself for the newest one alone.
 */
export function promptIncludes(text: string): RequestPredicate {
  return (request) =>
    request.messages.some((message) => message.role === "user" && spokenText(message).includes(text));
}

/** The tool with this wire name may be called. */
export function hasTool(name: string): RequestPredicate {
  return (request) => request.tools.includes(name);
}

/** All of them hold. */
export function allOf(...predicates: readonly RequestPredicate[]): RequestPredicate {
  return (request) => predicates.every((holds) => holds(request));
}

/** It does not hold. */
export function not(predicate: RequestPredicate): RequestPredicate {
  return (request) => !predicate(request);
}
