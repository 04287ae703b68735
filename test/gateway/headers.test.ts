import { describe, expect, test } from "vitest";
import { joinDuplicates, requestHeaders, responseHeaders, retryAfterMs } from "../../src/gateway/headers.ts";
import { readIdentity } from "../../src/gateway/identity.ts";

/** Names and values in turn, from one `Name: value` a line. */
function raw(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(": "));
}

describe("headers on their way out", () => {
  test("what belongs to the client's connection stays behind, the rest keeps order, case and duplicates", () => {
    const sent = raw(
      "Host: 127.0.0.1:1",
      "X-B: 2",
      "x-b: 3",
      "Connection: keep-alive, X-Secret",
      "X-Secret: s",
      "Keep-Alive: timeout=5",
      "TE: trailers",
      "Transfer-Encoding: chunked",
      "Upgrade: h2c",
      "Proxy-Authorization: p",
      "Expect: 100-continue",
      "Content-Length: 3",
      "Accept-Encoding: gzip",
      "X-Api-Key: lane",
      "AUTHORIZATION: Bearer lane",
      "X-A: 1",
    );
    expect(requestHeaders(sent, raw("x-api-key: real"))).toEqual(
      raw("X-B: 2", "x-b: 3", "X-A: 1", "x-api-key: real", "accept-encoding: identity"),
    );
  });

  test("a header of our own replaces the client's", () => {
    expect(requestHeaders(raw("X-Team: theirs", "x-team: too"), raw("x-team: ours"))).toEqual(
      raw("x-team: ours", "accept-encoding: identity"),
    );
  });

  test("behind a proxy duplicates are one list", () => {
    expect(joinDuplicates(raw("A: 1", "b: 2", "a: 3"))).toEqual(raw("A: 1, 3", "b: 2"));
  });
});

describe("headers on their way back", () => {
  test("hop-by-hop headers are gone, everything else is written as the bytes that came", () => {
    const sent = raw(
      "Connection: close",
      "Set-Cookie: a",
      "set-cookie: b",
      "X-Name: é汉",
      "content-length: 1",
    );
    const bytes = Buffer.from("é汉").toString("latin1");
    expect(responseHeaders(sent)).toEqual(
      raw("Set-Cookie: a", "set-cookie: b", `X-Name: ${bytes}`, "content-length: 1"),
    );
  });
});

describe("retry-after", () => {
  const now = Date.parse("2030-01-01T00:00:00Z");
  test.each([
    [["retry-after", "3"], 3_000],
    [["Retry-After", " 0.5 "], 500],
    [["retry-after", "0"], 0],
    [["retry-after", "Tue, 01 Jan 2030 00:01:00 GMT"], 60_000],
    [["retry-after", "Mon, 31 Dec 2029 00:00:00 GMT"], 0],
    [["retry-after", "3", "retry-after-ms", "250"], 250],
    [["retry-after-ms", "soon", "retry-after", "2"], 2_000],
    [["retry-after", "soon"], undefined],
    [["retry-after", "-5"], undefined],
    [["retry-after", ""], undefined],
    [[], undefined],
  ])("%j is %s ms", (headers, ms) => {
    expect(retryAfterMs(headers, now)).toBe(ms);
  });
});

describe("who flower is to the API", () => {
  test("each credential only when it is set", () => {
    expect(readIdentity({}).headers).toEqual([]);
    expect(readIdentity({ ANTHROPIC_API_KEY: " key-abc " }).headers).toEqual(["x-api-key", "key-abc"]);
    expect(readIdentity({ ANTHROPIC_AUTH_TOKEN: "tok" }).headers).toEqual(["authorization", "Bearer tok"]);
    expect(readIdentity({ ANTHROPIC_API_KEY: " ", ANTHROPIC_AUTH_TOKEN: "" }).headers).toEqual([]);
  });

  test("custom headers come last, and win over a credential of the same name", () => {
    const lines = "X-Team: blue : sky\n\nx-api-key:mine \r\nX-Empty:";
    const { headers } = readIdentity({ ANTHROPIC_API_KEY: "key-abc", ANTHROPIC_CUSTOM_HEADERS: lines });
    expect(headers).toEqual(["X-Team", "blue : sky", "x-api-key", "mine", "X-Empty", ""]);
  });

  test.each([
    ["no colon", "X-Good: 1\nsecret-value", 2],
    ["no name", ": secret-value", 1],
    ["a name that is none", "X Team: secret-value", 1],
    ["a character no header can carry", "X-Team: secret-value\u0001", 1],
    ["a header of the connection", "Transfer-Encoding: secret-value", 1],
    ["the host", "Host: secret-value", 1],
  ])("%s in a custom header is refused by its line, without its value", (_name, lines, line) => {
    const read = (): unknown => readIdentity({ ANTHROPIC_CUSTOM_HEADERS: lines });
    expect(read).toThrow(expect.objectContaining({ code: "gateway/bad-custom-header" }));
    expect(read).toThrow(`line ${line} of`);
    expect(read).not.toThrow("secret-value");
  });

  test("a credential that no header can carry is refused without being told", () => {
    const read = (): unknown => readIdentity({ ANTHROPIC_API_KEY: "sk-a\nb" });
    expect(read).toThrow(expect.objectContaining({ code: "gateway/bad-credential" }));
    expect(read).not.toThrow("sk-a");
  });
});
