import { describe, expect, test } from "vitest";
import { endpoint, probeTarget } from "../../src/resilience/endpoint.ts";

describe("endpoint", () => {
  test.each([
    [undefined, "api.anthropic.com", 443],
    ["", "api.anthropic.com", 443],
    ["https://gateway.example", "gateway.example", 443],
    ["http://gateway.example/path", "gateway.example", 80],
    [" https://user:pass@gateway.example:8443/v1?x=1 ", "gateway.example", 8443],
    ["http://127.0.0.1:3000", "127.0.0.1", 3000],
    ["http://[::1]:3000", "::1", 3000],
  ])("of %j is %s:%d", (base, host, port) => {
    expect(endpoint({ ANTHROPIC_BASE_URL: base })).toEqual({ host, port });
  });

  test.each(["gateway.example", "localhost:8080", "ftp://user:pa55@gateway.example", "https://"])(
    "of %j is an error that repeats no password",
    (base) => {
      const error = expect.objectContaining({ code: "resilience/bad-base-url" });
      expect(() => endpoint({ ANTHROPIC_BASE_URL: base })).toThrow(error);
      expect(() => endpoint({ ANTHROPIC_BASE_URL: base })).not.toThrow(/pa55/);
    },
  );
});

describe("probeTarget", () => {
  const api = { host: "api.anthropic.com", port: 443 };
  const proxy = { host: "proxy.example", port: 3128 };

  test.each([
    ["nothing is set", {}, api],
    ["HTTPS_PROXY is", { HTTPS_PROXY: "http://proxy.example:3128" }, proxy],
    [
      "the small spelling is",
      { https_proxy: "http://proxy.example:3128", HTTPS_PROXY: "http://other:1" },
      proxy,
    ],
    ["ALL_PROXY is", { ALL_PROXY: "socks5://proxy.example" }, { host: "proxy.example", port: 1080 }],
    ["it has no scheme", { HTTPS_PROXY: "proxy.example:3128" }, proxy],
    ["it has no port", { HTTPS_PROXY: "http://proxy.example" }, { host: "proxy.example", port: 80 }],
    ["only http has one", { HTTP_PROXY: "http://proxy.example:3128" }, api],
    ["it is empty", { HTTPS_PROXY: "" }, api],
    ["it holds no address", { HTTPS_PROXY: "http://" }, api],
    [
      "the host is exempt",
      { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "x.example, api.anthropic.com" },
      api,
    ],
    ["its domain is exempt", { HTTPS_PROXY: "http://proxy.example:3128", no_proxy: ".anthropic.com" }, api],
    ["all are exempt", { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "*" }, api],
    ["its port is exempt", { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "anthropic.com:443" }, api],
    [
      "another port is exempt",
      { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "anthropic.com:80" },
      proxy,
    ],
    [
      "a like-sounding host is exempt",
      { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "pic.com" },
      proxy,
    ],
  ])("when %s", (_, env, target) => {
    expect(probeTarget(env)).toEqual(target);
  });

  test("of an http endpoint follows HTTP_PROXY", () => {
    const env = { ANTHROPIC_BASE_URL: "http://gateway.example", HTTP_PROXY: "http://proxy.example:3128" };
    expect(probeTarget(env)).toEqual(proxy);
  });

  test.each(["http://127.0.0.1:9", "http://localhost:9", "http://[::1]:9"])(
    "of %s never is a proxy",
    (base) => {
      expect(probeTarget({ ANTHROPIC_BASE_URL: base, ALL_PROXY: "http://proxy.example" }).port).toBe(9);
    },
  );
});
