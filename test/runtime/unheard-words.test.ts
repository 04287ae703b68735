import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HumanChannel } from "../../src/human/human-channel.ts";
import { worker } from "../../src/roles/worker.ts";
import type { RunOptions } from "../../src/runtime/runtime-options.ts";
import { promptTooLong, reply, toolCall } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld, specOf } from "../support/run-world.ts";

/** Words of a human that the step they were said into could not hear. */

let world: RunWorld;
let channel: HumanChannel;

beforeEach(() => {
  world = makeRunWorld();
  channel = new HumanChannel();
});

afterEach(() => world.end());

const WORDS = "Paint it blue.";
const patient = "node -e 'setTimeout(() => {}, 30000)'";
const noticed = (): readonly string[] =>
  world.events.flatMap(({ kind, text, payload }) =>
    kind === "system" && payload.subtype === "words_unheard" ? [text] : [],
  );

describe("words of an interrupt", () => {
  test.each([
    ["wait for the next step", true],
    ["are shown to be said again where nobody keeps them", false],
  ])(
    "whose step is broken off %s",
    async (_, isKept) => {
      const model = await world.play([toolCall("Bash", { command: patient }), reply("heard")]);
      const runtime = world.runtime();
      const leave = new AbortController();
      const mail: RunOptions = isKept ? { mail: channel } : {};
      let session = "";
      // Not before the session can be gone on with: the call is told before its row is stored.
      const speakAndLeave = async (): Promise<void> => {
        await vi.waitUntil(() => runtime.hasSession(session), { timeout: 20_000 });
        runtime.interrupt(WORDS);
        leave.abort();
      };
      const result = await runtime.run(specOf(), "go", {
        ...mail,
        onSession: (id) => {
          session = id;
        },
        signal: leave.signal,
        onEvent: (event) => {
          world.events.push(event);
          if (event.kind === "tool_call") void speakAndLeave();
        },
      });
      expect(result).toMatchObject({ ok: false, error: "interrupted-by-human" });
      expect(noticed()).toEqual([expect.stringContaining(WORDS)]);
      expect(noticed()[0]).toContain(isKept ? "wait for the next" : "say them again");
      expect(channel.pendingMail().map(({ text }) => text)).toEqual(isKept ? [WORDS] : []);
      await runtime.run(specOf(), "go on", { ...mail, resume: result.sessionId ?? undefined });
      expect(JSON.stringify(model.calls.at(-1)?.request?.messages).includes(WORDS)).toBe(isKept);
    },
    60_000,
  );

  test("wait for the next step when the budget was spent meanwhile", async () => {
    await world.play((request) => {
      const cost = { usage: { input: 1_000_000, output: 0 } };
      if (request.agent === "subagent") return toolCall("Bash", { command: patient }, cost);
      return toolCall("Agent", { description: "d", prompt: "p", subagent_type: "coder" }, cost);
    });
    const runtime = world.runtime({
      budgetUsd: 5,
      handoff: false,
      // A CLI that cannot spare its subagent ends with the interrupt, so that the words need another one.
      env: world.env({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" }),
    });
    const spec = specOf({ allowedTools: ["Agent", "Bash"], agents: { coder: worker("works", "You work.") } });
    const result = await runtime.run(spec, "go", {
      mail: channel,
      onEvent: (event) => {
        world.events.push(event);
        if (event.kind === "tool_call" && "agent_id" in event.payload)
          setTimeout(() => runtime.interrupt(WORDS), 300);
      },
    });
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("budget") });
    expect(channel.pendingMail().map(({ text }) => text)).toEqual([WORDS]);
    expect(noticed()).toHaveLength(1);
  }, 60_000);

  test("that were heard are not said again", async () => {
    await world.play([toolCall("Bash", { command: patient }), reply("heard")]);
    const runtime = world.runtime();
    await runtime.run(specOf(), "go", {
      mail: channel,
      onEvent: (event) => {
        world.events.push(event);
        if (event.kind === "tool_call") setTimeout(() => runtime.interrupt(WORDS), 300);
      },
    });
    expect(channel.mail).toEqual([]);
    expect(noticed()).toEqual([]);
  }, 60_000);
});

test("words in a request that was too long for the session are said to its successor", async () => {
  const model = await world.play((request) => {
    if (request.firstPrompt.includes("[degraded")) return reply("painted");
    if (request.history().length === 0) return toolCall("Bash", { command: "sleep 1; echo hi" });
    return promptTooLong({ tokens: 61_000, max: 60_000 });
  });
  const handoff = { window: 60_000, headroom: 50_000 };
  const result = await world.runtime({ handoff }).run(specOf(), "go", {
    mail: channel,
    onEvent: ({ kind }) => {
      if (kind === "tool_call") channel.send(WORDS);
    },
  });
  expect(result).toMatchObject({ ok: true, text: "painted" });
  const successor = model.calls.at(-1)?.request?.firstPrompt;
  expect(successor?.split(WORDS)).toHaveLength(2);
  expect(channel.pendingMail()).toEqual([]);
}, 60_000);
