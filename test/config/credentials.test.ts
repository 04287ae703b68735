import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FlowerError } from "../../src/base/errors.ts";
import { describeCredentials, maskSecret, requireCredentials } from "../../src/config/credentials.ts";
import { LANGS } from "../../src/lang/lang.ts";
import { makeWorld } from "./world.ts";

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe("requireCredentials", () => {
  test.each(LANGS)("names both variables and both ways out (%s)", (lang) => {
    const thrown = thrownBy(() => requireCredentials({ ANTHROPIC_API_KEY: " " }, lang));
    expect(thrown).toBeInstanceOf(FlowerError);
    const { code, message, hint } = thrown as FlowerError;
    expect(code).toBe("config/no-credentials");
    expect(message).toContain("ANTHROPIC_API_KEY");
    expect(message).toContain("ANTHROPIC_AUTH_TOKEN");
    expect(hint).toContain(".env");
    expect(hint).toContain("flower demo");
  });

  test("is content with either of the two", () => {
    expect(() => requireCredentials({ ANTHROPIC_API_KEY: "k" })).not.toThrow();
    expect(() => requireCredentials({ ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_API_KEY: "" })).not.toThrow();
  });
});

describe("describeCredentials", () => {
  test("shows values with their origin, secrets masked, in either language", () => {
    const { write, load } = makeWorld();
    const file = write("home/.config/flower/.env", "ANTHROPIC_API_KEY=sk-ant-0123456789-WXYZ\n");
    const loaded = load({ ANTHROPIC_MODEL: "claude-x", UNRELATED: "secret" });
    expect(describeCredentials(loaded)).toEqual([
      `ANTHROPIC_API_KEY = …WXYZ  (from ${file})`,
      "ANTHROPIC_MODEL = claude-x  (from the process environment)",
    ]);
    expect(describeCredentials(loaded, "zh")).toEqual([
      `ANTHROPIC_API_KEY = …WXYZ  (来自 ${file})`,
      "ANTHROPIC_MODEL = claude-x  (来自 进程环境变量)",
    ]);
  });

  test.each([
    ["https://user:pa55@host.example/path", "https://…@host.example/path"],
    ["user:pa55@host.example", "…@host.example"],
    ["https://host.example/a@b", "https://host.example/a@b"],
  ])("shows the base URL %s as %s", (value, shown) => {
    expect(describeCredentials(makeWorld().load({ ANTHROPIC_BASE_URL: value }))).toEqual([
      `ANTHROPIC_BASE_URL = ${shown}  (from the process environment)`,
    ]);
  });

  test("prints no control characters of a value", () => {
    const [line] = describeCredentials(makeWorld().load({ ANTHROPIC_MODEL: "a\u001b[31mb\nc" }));
    expect(line).toBe("ANTHROPIC_MODEL = ab c  (from the process environment)");
  });
});

describe("maskSecret", () => {
  test("tells at most four characters, and none of a secret shorter than twenty", () => {
    expect(maskSecret("x".repeat(19))).toBe("…");
    expect(maskSecret(`${"x".repeat(16)}abcd`)).toBe("…abcd");
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (secret) => {
        const masked = maskSecret(secret);
        expect(masked.startsWith("…")).toBe(true);
        expect(masked.length).toBeLessThanOrEqual(5);
        if (secret.length < 20) expect(masked).toBe("…");
      }),
    );
  });
});
