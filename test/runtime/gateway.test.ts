import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventOf } from "../../src/events/event.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { overloaded, reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;

beforeEach(() => {
  world = makeRunWorld();
});

afterEach(() => world.end());

const run = (options: Partial<RuntimeOptions> = {}) =>
  world.runtime(options).run(specOf(), "go", { onEvent: (event) => world.events.push(event) });
const retries = (): readonly EventOf<"retry">["payload"][] =>
  world.events.flatMap((event) => (event.kind === "retry" ? [event.payload] : []));

describe("through the gateway", () => {
  test("an overloaded API is waited for: told, and nowhere in the session or its books", async () => {
    const model = await world.play([
      toolCall("Bash", { command: "echo hi" }),
      overloaded(),
      overloaded(),
      reply("done"),
    ]);
    const result = await run();
    expect(result).toMatchObject({ ok: true, text: "done", attempts: 1, resumed: false, errors: [] });
    expect(retries().map(({ phase }) => phase)).toEqual(["backoff", "backoff", "online"]);
    expect(retries()[0]).toMatchObject({
      attempt: 1,
      max_attempts: null,
      error: expect.stringContaining("529"),
    });
    expect(JSON.stringify(model.calls.at(-1)?.request?.messages)).not.toMatch(/529|overloaded/i);
  });

  test("an endpoint that is away for a while is waited for", async () => {
    const model = await world.play([toolCall("Bash", { command: "sleep 1" }), reply("done")]);
    const outage = world.runtime().run(specOf(), "go", {
      onEvent: (event) => {
        world.events.push(event);
        if (event.kind === "tool_call") void model.refuse();
        if (event.kind === "retry" && event.payload.phase === "lost") void model.accept();
      },
    });
    expect(await outage).toMatchObject({ ok: true, attempts: 1, errors: [] });
    expect(retries().map(({ phase }) => phase)).toEqual(expect.arrayContaining(["lost", "online"]));
  });

  test("an outage that outlasts the policy ends the step with the reason, and is not waited for again", async () => {
    await world.play(() => overloaded());
    const result = await run({ resilience: { baseDelayMs: 1, maxDelayMs: 1, maxOfflineWaitMs: 300 } });
    expect(result).toMatchObject({ ok: false, attempts: 1 });
    expect(result.error).toContain("529");
    expect(retries().at(-1)).toMatchObject({ phase: "gave_up" });
  });

  test("no tool sees the key, nor the way around", async () => {
    const model = await world.play([toolCall("Bash", { command: "env > env.txt" }), reply("done")]);
    const secret = "sk-ant-of-the-user-0123456789";
    const env = {
      ...world.env(),
      ANTHROPIC_API_KEY: secret,
      ANTHROPIC_AUTH_TOKEN: "",
      ANTHROPIC_CUSTOM_HEADERS: `x-extra: ${secret}`,
    };
    await run({ env });
    const seen = readFileSync(join(world.workspace, "env.txt"), "utf8");
    expect(seen).toContain("FLOWER_QUERY=");
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(model.baseUrl);
    expect(seen).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
  });

  test("a runtime that is closed while it prepares leaves no server", async () => {
    await world.play([]);
    const script = join(world.cli.dir, "close.mts");
    mkdirSync(world.cli.dir, { recursive: true });
    writeFileSync(
      script,
      `import { Runtime } from ${JSON.stringify(join(import.meta.dirname, "../../src/runtime/runtime.ts"))};
const runtime = new Runtime({ workspace: ${JSON.stringify(world.workspace)}, dotenv: false, env: ${JSON.stringify(world.env())} });
const preparing = runtime.prepare();
runtime.close();
await preparing.catch(() => undefined);
`,
    );
    const { execFileSync } = await import("node:child_process");
    // Ends by itself, or the time-out throws.
    execFileSync(process.execPath, ["--import", "tsx", script], { timeout: 30_000 });
  });
});
