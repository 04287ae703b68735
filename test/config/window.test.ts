import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultWindow, describeWindow, learntWindow, rememberWindow } from "../../src/config/window.ts";
import { makeWorld } from "./world.ts";

const gateway = "https://gateway.example/api/";

function world() {
  const w = makeWorld();
  const env = { HOME: w.home };
  const file = "home/.config/flower/windows.json";
  const key = { env, baseUrl: gateway, model: "m" };
  return { ...w, env, file, key, path: join(w.root, file) };
}

describe("defaultWindow", () => {
  test.each([
    [{}, 1_000_000],
    [{ ANTHROPIC_MODEL: "claude-opus-5" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "claude-haiku-4-5" }, 200_000],
    [{ ANTHROPIC_MODEL: "Claude-HAIKU[1m]" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "haiku-21m" }, 200_000],
    [{ ANTHROPIC_MODEL: "", ANTHROPIC_DEFAULT_OPUS_MODEL: "some-haiku" }, 200_000],
    [{ ANTHROPIC_MODEL: "sonnet", ANTHROPIC_DEFAULT_OPUS_MODEL: "some-haiku" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "haiku", FLOWER_WINDOW: "123456" }, 123_456],
    [{ ANTHROPIC_MODEL: "haiku", FLOWER_WINDOW: " " }, 200_000],
  ])("of %j is %d", (env, window) => {
    const { home } = world();
    expect(defaultWindow({ HOME: home, ...env })).toBe(window);
  });

  test.each(["200k", "-1", "0", "1.5", "1e6", "99999999999999999999"])(
    "FLOWER_WINDOW=%s is an error",
    (text) => {
      expect(() => defaultWindow({ FLOWER_WINDOW: text })).toThrow(
        expect.objectContaining({ code: "config/bad-window", message: expect.stringContaining(text) }),
      );
    },
  );

  test("complains in the language it is given, else in the environment's", () => {
    const bad = { FLOWER_WINDOW: "x" };
    expect(() => defaultWindow(bad, "zh")).toThrow("不是 token 数");
    expect(() => defaultWindow({ ...bad, FLOWER_LANG: "zh" })).toThrow("不是 token 数");
  });

  test("prefers what was learnt to the name, and FLOWER_WINDOW to both", () => {
    const { env, key } = world();
    rememberWindow({ ...key, model: "haiku", tokens: 131_072 });
    const asked = { ...env, ANTHROPIC_BASE_URL: "https://gateway.example/api", ANTHROPIC_MODEL: "haiku" };
    expect(defaultWindow(asked)).toBe(131_072);
    expect(defaultWindow({ ...asked, ANTHROPIC_BASE_URL: "" })).toBe(200_000);
    expect(defaultWindow({ ...asked, FLOWER_WINDOW: "7" })).toBe(7);
  });

  test("without a base URL uses what was learnt about the public endpoint", () => {
    const { env } = world();
    rememberWindow({ env, baseUrl: "https://api.anthropic.com", model: "", tokens: 50_000 });
    expect(defaultWindow(env)).toBe(50_000);
  });
});

describe("windows that were learnt", () => {
  test("are kept per endpoint and model, the last one of each", () => {
    const { key } = world();
    expect(learntWindow(key)).toBeUndefined();
    rememberWindow({ ...key, tokens: 100_000 });
    rememberWindow({ ...key, model: "other", tokens: 200_000 });
    rememberWindow({ ...key, baseUrl: "https://gateway.example", tokens: 300_000 });
    rememberWindow({ ...key, tokens: 400_000 });
    expect(learntWindow(key)).toBe(400_000);
    expect(learntWindow({ ...key, model: "other" })).toBe(200_000);
    expect(learntWindow({ ...key, baseUrl: "https://gateway.example/" })).toBe(300_000);
  });

  test("are written in this format, without what is secret in a URL", () => {
    const { key, path } = world();
    rememberWindow({ ...key, baseUrl: "https://user:pa55@gateway.example/api?key=s3cret", tokens: 900_000 });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      version: 1,
      windows: [{ base_url: "https://gateway.example/api", model: "m", tokens: 900_000 }],
    });
    expect(learntWindow(key)).toBe(900_000);
  });

  test("a file that cannot be understood teaches nothing and is set aside, not lost", () => {
    const { key, write, file, root } = world();
    write(file, "{ broken");
    expect(learntWindow(key)).toBeUndefined();
    rememberWindow(
      { ...key, tokens: 900_000 },
      { now: () => Date.UTC(2025, 5, 15), sleep: async () => undefined },
    );
    expect(learntWindow(key)).toBe(900_000);
    const directory = join(root, "home/.config/flower");
    const aside = readdirSync(directory).filter((name) => name.startsWith("windows.json.corrupt-2025"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(directory, aside[0] ?? ""), "utf8")).toBe("{ broken");
  });

  test("a file of a newer flower is neither read nor written", () => {
    const { key, write, file, path } = world();
    const newer = '{"version":2,"windows":"unknown"}';
    write(file, newer);
    expect(learntWindow(key)).toBeUndefined();
    expect(() => rememberWindow({ ...key, tokens: 900_000 })).toThrow(
      expect.objectContaining({ code: "config/windows-too-new" }),
    );
    expect(readFileSync(path, "utf8")).toBe(newer);
  });

  test("a number that no model has teaches nothing, whoever wrote it", () => {
    const { key, write, file } = world();
    write(
      file,
      '{"version":1,"windows":[{"base_url":"https://gateway.example/api","model":"m","tokens":5}]}',
    );
    expect(learntWindow(key)).toBeUndefined();
  });

  test("an unreadable file never stops a run", () => {
    const { key, path } = world();
    mkdirSync(path, { recursive: true });
    expect(learntWindow(key)).toBeUndefined();
  });

  test.each([0, -5, 50_000.5, Number.NaN, 9_999, 1e9])("a window of %d tokens is refused", (tokens) => {
    const { key } = world();
    expect(() => rememberWindow({ ...key, tokens })).toThrow(
      expect.objectContaining({ code: "config/bad-window" }),
    );
  });
});

describe("what -v says", () => {
  test.each([
    [{ ANTHROPIC_MODEL: "haiku" }, 200_000, "200000 tokens  (from the name of the model, haiku)"],
    [{}, 1_000_000, "1000000 tokens  (from the default, as no model is named)"],
    [{ FLOWER_WINDOW: "123456" }, 123_456, "123456 tokens  (from FLOWER_WINDOW)"],
    [{ ANTHROPIC_MODEL: "haiku" }, 300_000, "300000 tokens  (from --window or the caller)"],
  ])("with %j and a window of %d", (env, tokens, expected) => {
    const { home } = world();
    expect(describeWindow(tokens, { HOME: home, ...env }, "en")).toBe(`context window = ${expected}`);
  });

  test("names the file of what was learnt", () => {
    const { env, path } = world();
    rememberWindow({ env, baseUrl: "https://api.anthropic.com", model: "m", tokens: 131_072 });
    expect(describeWindow(131_072, { ...env, ANTHROPIC_MODEL: "m" }, "en")).toContain(path);
  });
});
