/**
 * The measured process of `memory.bench.ts`: flower and nothing else. Runs two steps in the workspace that it is given,
 * the first to warm up, and prints what its own memory did in the second as one line of JSON.
 */
import { memoryUsage } from "node:process";
import type { AgentSpec } from "../src/agent/spec.ts";
import { Runtime } from "../src/runtime/runtime.ts";

/** What the second step did to this process; bytes. */
export interface MemoryReport {
  readonly before: number;
  /** Smallest and largest size while it ran. */
  readonly low: number;
  readonly peak: number;
  readonly after: number;
  readonly turns: number;
  readonly error: string | null;
  readonly events: number;
}

const SAMPLE_EVERY_MS = 50;
const SPEC: AgentSpec = {
  name: "bench",
  instructions: "",
  model: "claude-sonnet-4-5",
  allowedTools: ["Bash"],
};

const [workspace = ""] = process.argv.slice(2);
const runtime = new Runtime({ workspace, env: { ...process.env }, dotenv: false, workbench: true });
try {
  await runtime.run(SPEC, "warm up");
  const before = memoryUsage.rss();
  let low = before;
  let peak = before;
  let events = 0;
  const sample = (): void => {
    const rss = memoryUsage.rss();
    low = Math.min(low, rss);
    peak = Math.max(peak, rss);
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  const result = await runtime.run(SPEC, "go", {
    onEvent: () => {
      events += 1;
    },
  });
  clearInterval(timer);
  sample();
  const report: MemoryReport = {
    before,
    low,
    peak,
    after: memoryUsage.rss(),
    turns: result.numTurns,
    error: result.error,
    events,
  };
  console.log(JSON.stringify(report));
} finally {
  runtime.close();
}
