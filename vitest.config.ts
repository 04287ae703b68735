import { defineConfig } from "vitest/config";

/**
 * At most two test files at once: a test that runs the real CLI takes about 220 MB and one core, and the
 * machines we promise to work on have two.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/built-command.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ["./test/support/count-reporter.ts"],
  },
});
