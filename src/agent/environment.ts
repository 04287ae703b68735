import { type Env, valueOf } from "../config/env.ts";
import { type CompactPolicy, compactEnvironment } from "./compact-policy.ts";

/** Marks every process that a query starts, tools and their children included, so that all can be found. */
export const QUERY_MARKER = "FLOWER_QUERY";
/** The process id and start time of the flower that started it; a dead owner's children are leftovers. */
export const OWNER_MARKER = "FLOWER_OWNER";
/** The run directory a process belongs to. */
export const RUN_MARKER = "FLOWER_RUN_DIR";

/** Where the child's endpoint and credentials are decided, and nowhere else. Laid over everything that a spec sets. */
function endpointEnvironment(base: Env): Env {
  return {
    ANTHROPIC_BASE_URL: base["ANTHROPIC_BASE_URL"],
    ANTHROPIC_API_KEY: base["ANTHROPIC_API_KEY"],
    ANTHROPIC_AUTH_TOKEN: base["ANTHROPIC_AUTH_TOKEN"],
  };
}

/**
 * A CLI that believes it runs inside another one behaves differently; these come from the terminal flower was
 * started in, not from its user (CLI 2.1.332).
 */
const INHERITED_SESSION =
  /^(CLAUDECODE|CLAUDE_PID|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|SSE_PORT|MESSAGING_.*))$/;

/** What every CLI of ours gets (HARNESS 1, 8, 11; CLI 2.1.332). */
const FIXED: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  // Tells when the session rests, background agents and their notifications included; no other message does.
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
  // A question to a human takes hours: its call is not to be moved into the background.
  CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
};

/**
 * Lifts the CLI's own refusal at window - 23k tokens, so that our handoff threshold decides
 * (HARNESS 8; verified to 196k of 200k).
 */
const LIFT_LOCAL_REFUSAL: Readonly<Record<string, string>> = {
  CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "10000000",
};

/**
 * How often the CLI repeats a request by itself before its turn fails. Its own default of ten takes three minutes
 * (HARNESS 6), in which nobody probes and every try is a request.
 *
 * Behind the gateway only a stream that breaks in the middle comes back to the CLI, and each of its tries is held there:
 * ten are patience for ten breaks in a row. Without it six tries, told one by one, are half a minute: a hiccup passes
 * without a trace, for subagents too, which are lost when they fail; what lasts longer is an outage, and waited for by
 * the loop of the runtime, which asks for nothing but a connection. Who has set the variable decides otherwise.
 */
const CLI_RETRIES = "CLAUDE_CODE_MAX_RETRIES";
const CLI_RETRIES_BEHIND_GATEWAY = "10";
const CLI_RETRIES_ALONE = "6";

function retryEnvironment(base: Env, endpoint: Env | undefined): Env {
  const ours = endpoint === undefined ? CLI_RETRIES_ALONE : CLI_RETRIES_BEHIND_GATEWAY;
  return { [CLI_RETRIES]: valueOf(base, CLI_RETRIES) ?? ours };
}

/**
 * The complete environment of a CLI; the SDK inherits nothing beside it (HARNESS 1).
 *
 * `configDirectory` is always set: without it the SDK silently drops every row meant for the session store
 * (HARNESS 5, trap 1). What the spec sets wins over everything but the endpoint and the markers.
 */
export function childEnvironment(options: {
  base: Env;
  configDirectory: string;
  spec?: Readonly<Record<string, string>> | undefined;
  compact?: CompactPolicy | undefined;
  handoff?: boolean | undefined;
  markers?: Readonly<Record<string, string>> | undefined;
  /** Of the gateway's lane, in place of the real endpoint (SPEC 22); an undefined value takes a variable away. */
  endpoint?: Env | undefined;
}): Record<string, string | undefined> {
  const inherited = Object.entries(options.base).filter(([name]) => !INHERITED_SESSION.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...FIXED,
    ...retryEnvironment(options.base, options.endpoint),
    ...(options.handoff ? LIFT_LOCAL_REFUSAL : {}),
    ...compactEnvironment(options.compact ?? {}),
    ...options.spec,
    ...endpointEnvironment(options.base),
    ...options.endpoint,
    CLAUDE_CONFIG_DIR: options.configDirectory,
    ...options.markers,
  };
}
