import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { buildOptions } from "../../src/agent/options.ts";
import { sdkToolServer } from "../../src/agent/tool-server.ts";
import type { ServedTool, ToolServer } from "../../src/human/tool-server.ts";

const serverWith = (run: ServedTool["run"]): ToolServer => ({
  type: "tools",
  name: "own",
  timeoutMs: 5_000,
  tools: [{ name: "double", description: "d", input: { text: z.string() }, run }],
});

/** What a model gets from the tool, as the CLI asks for it. */
async function callDouble(run: ServedTool["run"], input: Record<string, unknown>) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([sdkToolServer(serverWith(run)).instance.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client.callTool({ name: "double", arguments: input });
}

test("a model reads what the tool returns, which gets its input and a signal", async () => {
  const reply = await callDouble(
    ({ text }, signal) => `${String(text)}${String(text)} ${signal instanceof AbortSignal}`,
    { text: "ab" },
  );
  expect(reply).toEqual({ content: [{ type: "text", text: "abab true" }] });
});

test("a model reads the message of what the tool throws, as an error", async () => {
  const reply = await callDouble(
    () => {
      throw new Error("the desk is closed");
    },
    { text: "ab" },
  );
  expect(reply).toEqual({ isError: true, content: [{ type: "text", text: "the desk is closed" }] });
});

test("input that does not fit never reaches the tool", async () => {
  let called = false;
  const run = (): string => {
    called = true;
    return "";
  };
  expect((await callDouble(run, { text: 7 })).isError).toBe(true);
  expect(called).toBe(false);
});

test("tools that are data get a server of their own for every query, other servers stay what they are", () => {
  const other = { type: "stdio", command: "server" } as const;
  const spec = { name: "a", instructions: "", mcpServers: { own: serverWith(() => ""), other } };
  const build = { cwd: "/w", env: {}, configDirectory: "/c" };
  const [one, two] = [buildOptions(spec, build), buildOptions(spec, build)].map(
    ({ mcpServers }) => mcpServers,
  );
  expect(one).toMatchObject({ own: { type: "sdk", name: "own", timeout: 5_000 }, other });
  expect(one?.["own"]).not.toBe(two?.["own"]);
});
