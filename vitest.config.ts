import { defineConfig } from "vitest/config";
import { ByFolder } from "./test/support/by-folder.ts";

/** These look at the process they run in: its listeners, its signals, what its collector frees. */
const OF_ITS_PROCESS = [
  "test/cli/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/gateway/meter.test.ts",
  "test/runtime/close.test.ts",
];

/**
 * At most two test files at once: a test that runs the real CLI takes about 220 MB and one core, and the
 * machines we promise to work on have two.
 *
 * All others share their process, and what they import is loaded once: they own a directory, not the process.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ["./test/support/count-reporter.ts"],
    sequence: { sequencer: ByFolder },
    projects: [
      {
        extends: true,
        test: { name: "alone", include: OF_ITS_PROCESS, globalSetup: "test/support/built-command.ts" },
      },
      {
        extends: true,
        test: { name: "together", include: ["test/**/*.test.ts"], exclude: OF_ITS_PROCESS, isolate: false },
      },
    ],
  },
});
