import { FlowerError } from "../base/errors.ts";
import { DEFAULT_BASE_URL, type Env, processEnv, valueOf } from "../config/env.ts";

/** One side of a TCP connection. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Where requests go: host and port of `ANTHROPIC_BASE_URL`, else of the public API. A gateway of one's own being
 * reachable says nothing about the public API, nor the reverse.
 *
 * Throws `resilience/bad-base-url` when the variable holds no http(s) address; the value, which may hold a
 * password, is not repeated.
 */
export function endpoint(env: Env = processEnv()): Endpoint {
  return endpointOf(baseUrl(env));
}

/**
 * What to try when the question is "is the network back": the endpoint, or the proxy in front of it. Behind a
 * proxy a direct connection fails even when all is well, and the name of the endpoint may not resolve at all.
 *
 * `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` count in either case, the small letters first, as in the
 * CLI (2.1.332). A reachable proxy is a weaker promise than a reachable endpoint: what lies behind it shows with
 * the next attempt. A proxy variable that holds no address is taken as not set.
 */
export function probeTarget(env: Env): Endpoint {
  const base = baseUrl(env);
  const target = endpointOf(base);
  const scheme = base.protocol === "http:" ? "http" : "https";
  const proxy = either(env, `${scheme}_proxy`) ?? either(env, "all_proxy");
  if (proxy === undefined || isLoopback(target.host) || isExempt(target, either(env, "no_proxy")))
    return target;
  const url = parseUrl(proxy.includes("://") ? proxy : `${scheme}://${proxy}`);
  return url === undefined || url.hostname === "" ? target : endpointOf(url);
}

function baseUrl(env: Env): URL {
  const url = parseUrl(valueOf(env, "ANTHROPIC_BASE_URL")?.trim() ?? DEFAULT_BASE_URL);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== "") return url;
  throw new FlowerError("resilience/bad-base-url", "ANTHROPIC_BASE_URL is not an http or https address", {
    hint: "Write it with its scheme and without /v1, for example https://api.anthropic.com.",
  });
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function endpointOf(url: URL): Endpoint {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: url.port === "" ? defaultPort(url.protocol) : Number(url.port) };
}

function defaultPort(protocol: string): number {
  if (protocol.startsWith("socks")) return 1080;
  return protocol === "http:" ? 80 : 443;
}

function either(env: Env, name: string): string | undefined {
  return valueOf(env, name) ?? valueOf(env, name.toUpperCase());
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d+){3}$/.test(host);
}

/** `*`, `host`, `.domain` and `*.domain` (both with the hosts below), each with an optional port. */
function isExempt({ host, port }: Endpoint, list = ""): boolean {
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = "", onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
      const domain = name.replace(/^\*?\./, "");
      return name === "*" || host === domain || host.endsWith(`.${domain}`);
    });
}
