import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { worker } from "../../src/roles/worker.ts";
import { type ModelRequest, reply, toolCall } from "../../src/testing/index.ts";
import { clarifyStep } from "../../src/workflow/clarify-step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

let world: RunWorld;
let channel: HumanChannel;

beforeEach(() => {
  world = makeRunWorld();
  channel = new HumanChannel({ onEvent: (event) => world.events.push(event) });
});

afterEach(() => world.end());

const WORDS = "Paint it blue.";
const withInbox = () => ({
  ...specOf({
    allowedTools: ["Bash", "Agent", channel.inboxName],
    agents: { coder: worker("works", "You work.") },
  }),
  mcpServers: () => channel.mcpServers(),
});
/** How often the words stand in a conversation. */
const count = (request: ModelRequest | undefined): number =>
  JSON.stringify(request?.messages ?? []).split(WORDS).length - 1;
const states = (): readonly string[] =>
  world.events.flatMap((event) =>
    event.kind === "ask" && event.payload.kind === "mail" ? [event.payload.state] : [],
  );

describe("unasked words", () => {
  test("said during a long command are in the very next request, and delivered only then", async () => {
    let before: readonly string[] = [];
    const atResult: (readonly string[])[] = [];
    const model = await world.play([
      toolCall("Bash", { command: "sleep 0.2; node -e 'setTimeout(() => {}, 2500)'" }),
      (request) => {
        before = states();
        return reply(count(request) === 1 ? "heard" : "not heard");
      },
    ]);
    const result = await world.runtime().run(withInbox(), "go", {
      mail: channel,
      onEvent: ({ kind }) => {
        if (kind === "tool_call") setTimeout(() => channel.send(WORDS), 300);
        if (kind === "tool_result") atResult.push(states());
      },
    });
    expect(result).toMatchObject({ ok: true, text: "heard" });
    expect(atResult).toEqual([["queued"]]);
    expect(before[0]).toBe("queued");
    expect(states()).toEqual(["queued", "delivered"]);
    expect(model.calls).toHaveLength(2);
    expect(channel.pendingMail()).toEqual([]);
  }, 60_000);

  test("said while a subagent works arrive before it ends, and it goes on", async () => {
    let reported = false;
    let heardBefore: boolean | undefined;
    await world.play((request) => {
      if (request.agent === "subagent") {
        const done = request.history().length;
        if (done < 4) return toolCall("Bash", { command: `sleep 0.8; echo ${done}` });
        reported = true;
        return reply("THE REPORT");
      }
      if (!request.history().some(({ tool }) => tool === "Agent"))
        return toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" });
      if (count(request) > 0) heardBefore ??= !reported;
      return reply(request.latest.includes("THE REPORT") ? "report read" : "heard");
    });
    let sent = false;
    const result = await world.runtime().run(withInbox(), "go", {
      mail: channel,
      onEvent: ({ kind, payload }) => {
        if (sent || kind !== "tool_result" || !("agent_id" in payload)) return;
        sent = true;
        channel.send(WORDS);
      },
    });
    expect(heardBefore).toBe(true);
    expect(result).toMatchObject({ ok: true, text: "heard\n\nreport read" });
    expect(states()).toEqual(["queued", "delivered"]);
  }, 60_000);

  test("and a look into the inbox in the same moment make one delivery", async () => {
    let asked = false;
    const model = await world.play([
      () => {
        channel.send(WORDS);
        asked = true;
        return toolCall(channel.inboxName, {});
      },
      toolCall("Bash", { command: "echo hi" }),
      reply("done"),
    ]);
    const result = await world.runtime().run(withInbox(), "go", { mail: channel });
    expect(asked).toBe(true);
    expect(result).toMatchObject({ ok: true });
    expect(count(model.calls.at(-1)?.request)).toBe(1);
    expect(states()).toEqual(["queued", "delivered"]);
  }, 60_000);

  test("said in the last moment of a turn begin another one", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    const result = await world.runtime().run(withInbox(), "go", {
      mail: channel,
      onEvent: ({ kind }) => {
        if (kind === "result" && model.calls.length === 1) channel.send(WORDS);
      },
    });
    expect(result).toMatchObject({ ok: true, text: "one\n\ntwo", closing: "two" });
    expect(model.calls[1]?.request?.prompt).toContain(WORDS);
    expect(states()).toEqual(["queued", "delivered"]);
  }, 60_000);

  test("that nobody took are back in the inbox, and reach the next step", async () => {
    const model = await world.play([
      toolCall("Bash", { command: "sleep 0.2; sleep 20" }),
      reply("one"),
      reply("two"),
    ]);
    const runtime = world.runtime();
    const leave = new AbortController();
    await runtime.run(withInbox(), "go", {
      mail: channel,
      signal: leave.signal,
      onEvent: ({ kind }) => {
        if (kind !== "tool_call") return;
        channel.send(WORDS);
        setTimeout(() => leave.abort(), 300);
      },
    });
    expect(channel.pendingMail().map(({ text }) => text)).toEqual([WORDS]);
    expect(states()).toEqual(["queued"]);
    await runtime.run(withInbox(), "go on", { mail: channel });
    expect(states()).toEqual(["queued", "delivered"]);
    expect(count(model.calls.at(-1)?.request)).toBe(1);
  }, 60_000);

  test("where no turn runs wait in the inbox", async () => {
    await world.play([reply("one")]);
    await world.runtime().run(withInbox(), "go", { mail: channel });
    channel.send(WORDS);
    expect(channel.pendingMail()).toHaveLength(1);
    expect(states()).toEqual(["queued"]);
  }, 60_000);

  test("begin with a slash without becoming a command", async () => {
    const model = await world.play([reply("one"), reply("two")]);
    await world.runtime().run(withInbox(), "go", {
      mail: channel,
      onEvent: ({ kind }) => {
        if (kind === "result" && model.calls.length === 1) channel.send("/clear the table");
      },
    });
    expect(model.calls[1]?.request?.prompt).toContain("/clear the table");
  }, 60_000);

  test("reach the clarifier, which has no inbox", async () => {
    const brief =
      "## Goal\nA till.\n## Acceptance criteria\nIt adds up.\n## Boundaries\nNone.\n## Unknowns and assumptions\nNone.\n";
    // A look takes moments: words that miss the request after it are heard in a turn of their own.
    const model = await world.play((request) =>
      request.history().length === 0 ? toolCall("Glob", { pattern: "*" }) : reply(brief),
    );
    const briefPath = join(world.workspace, "brief.md");
    const step = clarifyStep(channel, { briefPath, prompt: "a till", model: specOf().model });
    const context = await new Workflow([step], { channel }).run(world.runtime(), {
      onEvent: ({ kind }) => {
        if (kind === "tool_call") channel.send(WORDS);
      },
    });
    expect(context._failed_at).toBeUndefined();
    expect(model.calls.some(({ request }) => count(request) === 1)).toBe(true);
    expect(states()).toEqual(["queued", "delivered"]);
  }, 60_000);
});
