import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Bulk, startBulkModel } from "./bulk-model.ts";
import { type Bench, figure } from "./figure.ts";
import type { MemoryReport } from "./memory-child.ts";

/** Of the measured step; fewer only with `--calls=N`, for somebody who looks for a leak. */
const CALLS = Number(
  process.argv.find((arg) => arg.startsWith("--calls="))?.slice("--calls=".length) ?? 2000,
);
const CALLS_PER_ANSWER = 10;
/** Of the step that warms up: every path is compiled by then, and the heap has found its size. */
const WARM_UP_CALLS = 100;
/** Streamed in answers, and as much again printed by the calls. */
const STREAMED_BYTES = 50_000_000;
const MEGABYTE = 1_000_000;

/**
 * What a long step does to flower's own memory: 2,000 calls whose results are too large to keep, 50 MB of answers
 * through the gateway and 50 MB of output through the guards and the store. The model is this process, flower a child,
 * the CLI and its tools children of that; only flower is measured.
 */
const bench = {
  name: "memory",
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    const { url, server, asked } = await startBulkModel([...answers(WARM_UP_CALLS), ...answers(CALLS)]);
    try {
      const report = await measured(dir, url);
      // The CLI counts every call of an answer as a turn (2.1.332).
      const turns = CALLS + 1;
      if (report.error !== null || report.turns !== turns)
        throw new Error(`${report.turns} of ${turns} turns, ${asked()} requests: ${report.error}`);
      const megabytes = (bytes: number): number => bytes / MEGABYTE;
      // From the smallest size, not from that at the beginning: what the warm-up left to be collected would hide growth.
      const growth = report.peak - report.low;
      return [
        figure({ bench: "memory-growth", value: megabytes(growth), unit: "MB", target: "<=60" }),
        figure({
          bench: "memory-left",
          value: megabytes(report.after - report.before),
          unit: "MB",
          target: "",
        }),
        figure({ bench: "memory-peak", value: megabytes(report.peak), unit: "MB", target: "" }),
      ];
    } finally {
      server.close();
      server.closeAllConnections();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  },
} satisfies Bench;

export default bench;

function answers(calls: number): readonly Bulk[] {
  const size = {
    printsChars: Math.round(STREAMED_BYTES / 2000),
    streamBytes: (STREAMED_BYTES / 2000) * CALLS_PER_ANSWER,
  };
  const working = Array.from({ length: calls / CALLS_PER_ANSWER }, () => ({
    calls: CALLS_PER_ANSWER,
    ...size,
  }));
  return [...working, { calls: 0, printsChars: 0, streamBytes: 1 }];
}

async function measured(dir: string, url: string): Promise<MemoryReport> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", fileURLToPath(new URL("./memory-child.ts", import.meta.url)), join(dir, "workspace")],
    {
      env: {
        PATH: process.env["PATH"],
        HOME: dir,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "sk-dummy",
        FLOWER_LANG: "en",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const printed = await text(child.stdout);
  const report: MemoryReport = JSON.parse(printed);
  return report;
}
