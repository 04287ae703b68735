import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sdkToolServer } from "../../src/agent/tool-server.ts";
import type { HumanChannel } from "../../src/human/human-channel.ts";
import { makeWorld, settled } from "./world.ts";

/** A client of the server, as the CLI is one. */
async function clientOf(instance: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([instance.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

const serverOf = (channel: HumanChannel) => sdkToolServer(channel.mcpServers().human);
const connect = (channel: HumanChannel): Promise<Client> => clientOf(serverOf(channel).instance);

function textOf(reply: unknown): string {
  const { content } = z
    .object({ content: z.array(z.object({ type: z.literal("text"), text: z.string() })) })
    .parse(reply);
  return content.map(({ text }) => text).join("\n");
}

describe("the server", () => {
  test("waits for a human as long as a timer can, and shows its tools from the first turn on", async () => {
    const server = serverOf(makeWorld().channel);
    expect(server).toMatchObject({ type: "sdk", name: "human", timeout: 2_147_483_647 });
    const { tools } = await (await clientOf(server.instance)).listTools();
    expect(
      tools.map(({ name, _meta, inputSchema }) => [name, _meta, Object.keys(inputSchema.properties ?? {})]),
    ).toEqual([
      ["ask", { "anthropic/alwaysLoad": true }, ["question", "options"]],
      ["inbox", { "anthropic/alwaysLoad": true }, []],
    ]);
    expect(tools[0]?.inputSchema.required).toEqual(["question"]);
  });

  test("is a fresh one each time, and all of them speak for one channel", async () => {
    const { channel } = makeWorld();
    const servers = [serverOf(channel), serverOf(channel)];
    expect(servers[0]?.instance).not.toBe(servers[1]?.instance);
    const [one, two] = await Promise.all(servers.map(({ instance }) => clientOf(instance)));
    channel.send("hello");
    expect(textOf(await one?.callTool({ name: "inbox", arguments: {} }))).toContain("hello");
    expect(textOf(await two?.callTool({ name: "inbox", arguments: {} }))).toBe("Nothing new.");
  });

  test("names its tools as the channel says they are called", () => {
    const { channel } = makeWorld();
    expect([channel.toolName, channel.inboxName]).toEqual(["mcp__human__ask", "mcp__human__inbox"]);
  });

  test("speaks the language of the channel", async () => {
    const { tools } = await (await connect(makeWorld({ lang: "zh" }).channel)).listTools();
    expect(tools.map(({ description }) => /\p{Script=Han}/u.test(description ?? ""))).toEqual([true, true]);
  });
});

describe("the tool ask", () => {
  test("blocks until the human answers, and tells how many questions are left", async () => {
    const { channel } = makeWorld({ maxAsks: 2 });
    const client = await connect(channel);
    const reply = client.callTool({
      name: "ask",
      arguments: { question: "Which?", options: ["red", "blue"] },
    });
    const question = await channel.nextAsk();
    expect(question).toMatchObject({ question: "Which?", options: ["red", "blue"] });
    let done = false;
    void reply.then(() => {
      done = true;
    });
    await settled();
    expect(done).toBe(false);
    channel.answer(question?.id ?? "", "2");
    expect(textOf(await reply)).toBe("The human answers:\nblue\n(Questions left: 1)");
  });

  test("says what to do when there is no answer, for each reason", async () => {
    const { channel, clock } = makeWorld({ maxAsks: 2, timeoutMs: 1_000 });
    const client = await connect(channel);
    const call = (question: string) => client.callTool({ name: "ask", arguments: { question } });
    const declined = call("1?");
    channel.decline((await channel.nextAsk())?.id ?? "");
    expect(textOf(await declined)).toMatch(
      /^The human skipped .*Unknowns and assumptions\.\n\(Questions left: 1\)$/,
    );
    const late = call("2?");
    await channel.nextAsk();
    await clock.advance(1_000);
    expect(textOf(await late)).toMatch(/^Nobody answered in time.*Unknowns and assumptions\.$/);
    expect(textOf(await call("3?"))).toMatch(/^There are no questions left.*Unknowns and assumptions/);
    expect(textOf(await call(" "))).toMatch(/empty/);
  });

  test("uses the words the channel was given", async () => {
    const texts = { overBudgetText: "no more", timeoutText: "too late", declinedText: "you decide" };
    const { channel, clock } = makeWorld({ maxAsks: 2, ...texts });
    const client = await connect(channel);
    const call = (question: string) => client.callTool({ name: "ask", arguments: { question } });
    const declined = call("1?");
    channel.decline((await channel.nextAsk())?.id ?? "");
    expect(textOf(await declined)).toContain("you decide");
    const late = call("2?");
    await channel.nextAsk();
    await clock.advance(1_800_000);
    expect([textOf(await late), textOf(await call("3?"))]).toEqual(["too late", "no more"]);
  });

  test("ends its question when the caller gives up", async () => {
    const { channel, clock, states } = makeWorld();
    const client = await connect(channel);
    const controller = new AbortController();
    const reply = client.callTool({ name: "ask", arguments: { question: "?" } }, undefined, {
      signal: controller.signal,
    });
    await channel.nextAsk();
    controller.abort("interrupted");
    await expect(reply).rejects.toThrow();
    await settled();
    expect(states()).toEqual(["question asked", "question timeout"]);
    expect(clock.sleepers()).toBe(0);
  });

  test("refuses what is no question without asking anybody", async () => {
    const { channel, events } = makeWorld();
    const client = await connect(channel);
    const reply = await client.callTool({ name: "ask", arguments: { question: 7 } });
    expect(reply.isError).toBe(true);
    expect([events.length, channel.asks.length]).toEqual([0, 0]);
  });
});

describe("the tool inbox", () => {
  test("hands out what was said, oldest first, once", async () => {
    const { channel, states } = makeWorld();
    const client = await connect(channel);
    const read = async () => textOf(await client.callTool({ name: "inbox", arguments: {} }));
    expect(await read()).toBe("Nothing new.");
    channel.send("one");
    channel.send("two");
    expect(await read()).toBe("The human says, oldest first:\n1. one\n2. two");
    expect(await read()).toBe("Nothing new.");
    channel.send("three");
    expect(await read()).toBe("The human says:\nthree");
    expect(states().filter((state) => state === "mail delivered")).toHaveLength(3);
  });

  test("does not wait for an open question", async () => {
    const { channel } = makeWorld();
    const client = await connect(channel);
    const reply = client.callTool({ name: "ask", arguments: { question: "?" } });
    await channel.nextAsk();
    expect(textOf(await client.callTool({ name: "inbox", arguments: {} }))).toBe("Nothing new.");
    channel.close();
    await reply;
  });
});
