import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { buildOptions } from "../src/agent/options.ts";
import type { AgentSpec } from "../src/agent/spec.ts";
import { Handoff } from "../src/documents/handoff.ts";
import { Runtime } from "../src/runtime/runtime.ts";
import { reply, type ScriptedModel, startScriptedModel, toolCall } from "../src/testing/index.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Handoffs measured; the figures are medians. All in one step, as in a long run. */
const HANDOFFS = 7;
const SPEC: AgentSpec = {
  name: "bench",
  instructions: "",
  model: "claude-sonnet-4-5",
  allowedTools: ["Bash"],
};
/** A handoff is due at 10,000 tokens; an answer of a full session has more. */
const POLICY = { window: 60_000, headroom: 50_000, maxGenerations: HANDOFFS };
const FULL = { usage: { input: 12_000 } };
const DOCUMENT = new Handoff({ doing: "Counting.", next: "Go on counting.", lang: "en" }).toMarkdown();

/**
 * From the answer that fills a session to the first request of its successor. The model answers at once, so what is left
 * is flower's and the CLI's: ending the turn, resuming the session for the document, starting a fresh one. Also given in
 * starts of the bare SDK (to its first request), measured in the same run: two is what those two processes cost.
 */
const bench = {
  name: "handoff",
  run: async () => {
    let filledAt: number | undefined;
    let retired = 0;
    const taken: number[] = [];
    const model = await startScriptedModel((request) => {
      if (request.firstPrompt === BARE_PROMPT) {
        askedAt = performance.now();
        return reply("done");
      }
      if (request.prompt.startsWith("Your context is nearly full")) return reply({ text: DOCUMENT, ...FULL });
      if (filledAt !== undefined) {
        taken.push(performance.now() - filledAt);
        filledAt = undefined;
        retired += 1;
      }
      if (retired === HANDOFFS) return reply("done");
      filledAt = performance.now();
      return toolCall("Bash", { command: "echo hi" }, FULL);
    });
    let askedAt = 0;
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    const env = model.env({ configDir: join(dir, "config"), home: dir, path: process.env["PATH"] ?? "" });
    const runtime = new Runtime({
      workspace: join(dir, "workspace"),
      env: { ...env, FLOWER_LANG: "en" },
      dotenv: false,
      workbench: true,
      handoff: POLICY,
    });
    try {
      const starts: number[] = [];
      for (let start = 0; start < HANDOFFS; start += 1) {
        const startedAt = performance.now();
        await bareQuery(dir, env);
        starts.push(askedAt - startedAt);
      }
      const result = await runtime.run(SPEC, "go");
      if (!result.ok || taken.length !== HANDOFFS)
        throw new Error(`${taken.length} handoffs: ${result.error}`);
      const turnaroundMs = median(taken);
      return [
        figure({ bench: "handoff-turnaround", value: turnaroundMs, unit: "ms", target: "" }),
        figure({
          bench: "handoff-in-bare-starts",
          value: turnaroundMs / median(starts),
          unit: "ratio",
          target: "",
        }),
      ];
    } finally {
      runtime.close();
      await model.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  },
} satisfies Bench;

export default bench;

const BARE_PROMPT = "Only to be asked.";

async function bareQuery(cwd: string, env: ReturnType<ScriptedModel["env"]>): Promise<void> {
  const options = buildOptions(SPEC, { cwd, env, configDirectory: join(cwd, "config"), handoff: true });
  for await (const message of query({ prompt: BARE_PROMPT, options }))
    if (message.type === "result" && message.is_error) throw new Error(message.subtype);
}
