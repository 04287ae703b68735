import { type Env, valueOf } from "../config/env.ts";

/** A day: longer than any hold, and short enough for a timer. */
const LONG_MS = 86_400_000;

/**
 * What a child's environment needs, over everything else, so that its requests go through a lane and a held one is
 * waited for. `undefined` takes a variable away: what belongs to the real endpoint must not reach the child.
 *
 * Facts of CLI 2.1.332 behind it: it sends requests to loopback through `HTTP_PROXY` unless `NO_PROXY` names it; it
 * gives up a silent request after `API_TIMEOUT_MS` (ten minutes), and without `API_FORCE_IDLE_TIMEOUT=0` after about
 * six minutes whatever that says. A subagent from which nothing came for ten minutes is ended, in the foreground too, and
 * the main thread told that its user interrupted it, unless `CLAUDE_ASYNC_AGENT_STALL_TIMEOUT_MS` allows more.
 */
export function laneEnvironment(base: Env, lane: { readonly url: string; readonly key: string }): Env {
  const noProxy = [valueOf(base, "no_proxy") ?? valueOf(base, "NO_PROXY"), "127.0.0.1"]
    .filter(Boolean)
    .join(",");
  return {
    ANTHROPIC_BASE_URL: lane.url,
    ANTHROPIC_API_KEY: lane.key,
    ANTHROPIC_AUTH_TOKEN: undefined,
    ANTHROPIC_CUSTOM_HEADERS: undefined,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    API_TIMEOUT_MS: String(LONG_MS),
    API_FORCE_IDLE_TIMEOUT: "0",
    CLAUDE_ASYNC_AGENT_STALL_TIMEOUT_MS: String(LONG_MS),
  };
}
