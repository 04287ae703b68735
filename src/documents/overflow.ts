/**
 * How the API, gateways in front of other models, and the CLI say that a conversation does not fit. The CLI's own
 * words (`terminal_reason` and result texts) were seen with 2.1.332 (HARNESS 6 and 8).
 */
const OVERFLOW = new RegExp(
  [
    // The API.
    "prompt[ _](?:is[ _])?too[ _]long",
    "input length and [`'\"]?max_tokens[`'\"]? exceed",
    "too many total text bytes",
    "request_too_large",
    "model_context_window_exceeded",
    // The CLI: it refuses by itself near the limit, or compacts again and again in vain.
    "blocking_limit",
    "context limit reached",
    "request too large \\(max",
    "rapid_refill_breaker",
    "autocompact is thrashing",
    // Gateways and other models.
    "context[ _](?:length|window|limit)[ _]exceeded",
    "exceed(?:s|ed|ing)? (?:the |its |this |your )?(?:model['’]s )?(?:maximum |max )?(?:allowed )?context (?:length|window|limit|size)",
    "(?:maximum|max) context (?:length|window|limit)",
    "longer than the model['’]s context length",
    "input (?:is )?too long for (?:the )?(?:requested )?model",
    "input token count .{0,40}exceeds? the maximum",
  ].join("|"),
  "i",
);

/**
 * Whether any of these error texts says that the context is full. Give it what went wrong in this attempt only:
 * an old overflow in a session's history would hand over again and again.
 */
export function isOverflow(...texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => typeof text === "string" && OVERFLOW.test(text));
}
