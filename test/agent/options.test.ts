import { describe, expect, test } from "vitest";
import { childEnvironment } from "../../src/agent/environment.ts";
import { type BuildOptions, buildOptions } from "../../src/agent/options.ts";
import type { AgentSpec } from "../../src/agent/spec.ts";
import { isolated } from "../../src/guards/isolation.ts";

const build: BuildOptions = {
  cwd: "/w",
  env: { PATH: "/bin", ANTHROPIC_API_KEY: "k" },
  configDirectory: "/w/runs/claude",
};
const spec: AgentSpec = { name: "a", instructions: "Be brief." };
const coder = { description: "d", prompt: "p", tools: ["Bash", "Write", "Edit", "WebFetch"] };

test("nothing of the host's or the project's settings is read, unless the run is not portable", () => {
  expect(buildOptions(spec, build).settingSources).toEqual([]);
  expect(buildOptions(spec, { ...build, portable: false }).settingSources).toEqual(["project"]);
});

test("instructions and prelude follow Claude Code's own prompt", () => {
  expect(buildOptions(spec, { ...build, prelude: "INDEX" }).systemPrompt).toEqual({
    type: "preset",
    preset: "claude_code",
    append: "Be brief.\n\nINDEX",
    snapshot: false,
  });
});

test("workers' tools belong to the session; only those that the mode does not hold are approved for it", () => {
  const options = buildOptions(
    { ...spec, allowedTools: ["Agent", "mcp__human__ask"], agents: { coder } },
    build,
  );
  expect(options.tools).toEqual(["Agent", "Bash", "Write", "Edit", "WebFetch"]);
  expect(options.allowedTools).toEqual(["Agent", "mcp__human__ask", "Bash", "WebFetch"]);
});

test("a directory beside the workspace is open by rule, unless its name means something in one", () => {
  const { allowedTools } = buildOptions(spec, {
    ...build,
    addDirs: ["/home/user/.flower-w", "/home/user/(odd)*"],
  });
  expect(allowedTools).toEqual([
    "Read",
    "Glob",
    "Grep",
    "Read(//home/user/.flower-w/**)",
    "Edit(//home/user/.flower-w/**)",
  ]);
});

test("the isolation mark never reaches the CLI", () => {
  const options = buildOptions({ ...spec, agents: { coder: isolated(coder) } }, build);
  expect(Object.getOwnPropertySymbols(options.agents?.["coder"] ?? {})).toEqual([]);
  expect(options.agents?.["coder"]).toEqual(coder);
});

test("servers that hold a connection are made anew for every query", () => {
  let made = 0;
  const withServers: AgentSpec = {
    ...spec,
    mcpServers: () => {
      made += 1;
      return {};
    },
  };
  buildOptions(withServers, build);
  buildOptions(withServers, build);
  expect(made).toBe(2);
});

test.each([{ fork: true }, { resumeAt: "u" }])("%o without a session to resume is an error", (lonely) => {
  expect(() => buildOptions(spec, { ...build, ...lonely })).toThrow(
    expect.objectContaining({ code: "agent/needs-resume" }),
  );
});

describe("the environment of the child", () => {
  const of = (more: Partial<Parameters<typeof childEnvironment>[0]>) =>
    childEnvironment({ base: build.env, configDirectory: "/c", ...more });

  test("has a config directory of its own, the endpoint, and no telemetry", () => {
    expect(of({})).toMatchObject({
      PATH: "/bin",
      ANTHROPIC_API_KEY: "k",
      CLAUDE_CONFIG_DIR: "/c",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    });
  });

  test("does not believe that it runs inside another session", () => {
    const base = {
      ...build.env,
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_EFFORT_LEVEL: "high",
    };
    const env = of({ base });
    expect(Object.keys(env)).not.toContain("CLAUDECODE");
    expect(Object.keys(env)).not.toContain("CLAUDE_CODE_ENTRYPOINT");
    expect(env["CLAUDE_CODE_EFFORT_LEVEL"]).toBe("high");
  });

  test("may be changed by the spec, but not its endpoint", () => {
    const env = of({ spec: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "", ANTHROPIC_API_KEY: "other" } });
    expect(env).toMatchObject({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "", ANTHROPIC_API_KEY: "k" });
  });

  test("the CLI tries six times by itself, ten times behind the gateway, or as often as its user wants", () => {
    const endpoint = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
    const tries = (more: Parameters<typeof of>[0]) => of(more)["CLAUDE_CODE_MAX_RETRIES"];
    const base = { ...build.env, CLAUDE_CODE_MAX_RETRIES: "1" };
    expect([tries({}), tries({ endpoint }), tries({ base }), tries({ base, endpoint })]).toEqual([
      "6",
      "10",
      "1",
      "1",
    ]);
    expect(tries({ endpoint, spec: { CLAUDE_CODE_MAX_RETRIES: "2" } })).toBe("2");
  });

  test.each([
    [{ mode: "auto" }, {}],
    [{ mode: "no_summary" }, { DISABLE_AUTO_COMPACT: "1" }],
    [{ mode: "off" }, { DISABLE_COMPACT: "1" }],
    [{ window: 150_000 }, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" }],
  ] as const)("carries the compaction policy %o", (compact, expected) => {
    const env = of({ compact });
    const names = ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"];
    expect(Object.fromEntries(names.filter((name) => name in env).map((name) => [name, env[name]]))).toEqual(
      expected,
    );
  });

  test("refuses a compaction mode that does not exist", () => {
    const compact = JSON.parse('{"mode":"sometimes"}') as { mode: "auto" };
    expect(() => of({ compact })).toThrow(expect.objectContaining({ code: "agent/compact-mode" }));
  });

  test("leaves the window to our handoff, unless a policy was chosen", () => {
    expect(buildOptions(spec, { ...build, handoff: true }).env).toMatchObject({
      DISABLE_AUTO_COMPACT: "1",
      CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "10000000",
    });
    const chosen =
      buildOptions({ ...spec, compact: { mode: "auto" } }, { ...build, handoff: true }).env ?? {};
    expect("DISABLE_AUTO_COMPACT" in chosen).toBe(false);
  });
});
