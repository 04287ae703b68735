import { FlowerError } from "../base/errors.ts";
import { type Env, valueOf } from "../config/env.ts";
import { type Endpoint, endpoint, probeTarget } from "../resilience/endpoint.ts";

/**
 * The proxy in front of the endpoint, or undefined. Who is proxied is decided in one place, where the probe decides
 * it too: otherwise one of them might wait for the network that the other does not use.
 *
 * Throws `gateway/proxy-not-supported` for anything but an http or https proxy.
 */
export function proxyFor(env: Env, scheme: "http" | "https"): URL | undefined {
  if (same(probeTarget(env), endpoint(env))) return undefined;
  const value = either(env, `${scheme}_proxy`) ?? either(env, "all_proxy") ?? "";
  // Without a scheme it is what it was before proxies spoke TLS.
  const url = new URL(value.includes("://") ? value : `http://${value}`);
  if (/^https?:$/.test(url.protocol)) return url;
  throw new FlowerError("gateway/proxy-not-supported", `the gateway cannot use a ${url.protocol}// proxy`, {
    hint: "Name an http or https proxy, exempt the endpoint in NO_PROXY, or switch the gateway off.",
  });
}

function same(one: Endpoint, other: Endpoint): boolean {
  return one.host === other.host && one.port === other.port;
}

function either(env: Env, name: string): string | undefined {
  return valueOf(env, name) ?? valueOf(env, name.toUpperCase());
}
