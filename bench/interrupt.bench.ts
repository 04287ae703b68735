import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { AgentSpec } from "../src/agent/spec.ts";
import { Runtime } from "../src/runtime/runtime.ts";
import { reply, startScriptedModel, toolCall } from "../src/testing/index.ts";
import { type Bench, figure, median } from "./figure.ts";

/** Interrupts measured; the figure is their median. All of them in one process, as in a long run. */
const INTERRUPTS = 7;
/** The command is at work by then, and far from its end. */
const INTO_THE_COMMAND_MS = 400;
const SPEC: AgentSpec = {
  name: "bench",
  instructions: "",
  model: "claude-sonnet-4-5",
  allowedTools: ["Bash"],
};

/** Wall time from the call of `Runtime.interrupt` in the middle of a long command to the result of the turn it cut. */
const bench = {
  name: "interrupt",
  run: async () => {
    let cut = 0;
    const model = await startScriptedModel(() =>
      cut < INTERRUPTS
        ? toolCall("Bash", { command: "node -e 'setTimeout(() => {}, 60000)'" })
        : reply("done"),
    );
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    const env = model.env({ configDir: join(dir, "config"), home: dir, path: process.env["PATH"] ?? "" });
    const runtime = new Runtime({ workspace: join(dir, "workspace"), env, dotenv: false });
    const taken: number[] = [];
    let askedAt: number | undefined;
    try {
      const result = await runtime.run(SPEC, "go", {
        onEvent: ({ kind }) => {
          if (kind === "tool_call")
            setTimeout(() => {
              askedAt = performance.now();
              cut += 1;
              runtime.interrupt("Go on.");
            }, INTO_THE_COMMAND_MS);
          if (kind === "result" && askedAt !== undefined) {
            taken.push(performance.now() - askedAt);
            askedAt = undefined;
          }
        },
      });
      if (taken.length !== INTERRUPTS || !result.ok)
        throw new Error(`${taken.length} turns were cut: ${result.error}`);
      return [
        figure({ bench: "interrupt-to-stop", value: median(taken), unit: "ms", target: "<=300" }),
        figure({ bench: "interrupt-to-stop-max", value: Math.max(...taken), unit: "ms", target: "" }),
      ];
    } finally {
      runtime.close();
      await model.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  },
} satisfies Bench;

export default bench;
