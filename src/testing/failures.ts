import type { ErrorStep } from "./script-step.ts";
import { error } from "./steps.ts";

/** The failures a run meets most, by name, in the words of the API where the CLI reads them. */

/** 529: the API has no capacity. */
export function overloaded(): ErrorStep {
  return error(529, { message: "Overloaded" });
}

/** 429, with the `retry-after` header in seconds when given. */
export function rateLimited(options: { readonly retryAfterS?: number } = {}): ErrorStep {
  return error(429, { message: "This request would exceed your rate limit.", ...options });
}

/** 500. */
export function serverError(): ErrorStep {
  return error(500, { message: "Internal server error" });
}

/** 401: the credential is not accepted. */
export function unauthorized(): ErrorStep {
  return error(401, { message: "invalid x-api-key" });
}

/** 400: the conversation has outgrown the window. The CLI recognises the first words of the message. */
export function promptTooLong(options: { readonly tokens: number; readonly max: number }): ErrorStep {
  return error(400, { message: `prompt is too long: ${options.tokens} tokens > ${options.max} maximum` });
}

/** 404: there is no such model. */
export function modelNotFound(model: string): ErrorStep {
  return error(404, { message: `model: ${model}` });
}
