import type { SerializedError } from "vitest";
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from "vitest/node";

type UserConsoleLog = Parameters<DefaultReporter["onUserConsoleLog"]>[0];

/**
 * The reporter of `npm test`: silent while tests pass (dots on a terminal), vitest's own output for what fails,
 * and the count as the last line, alone: `12 passed, 0 failed`, with `, 3 skipped` when there are any.
 *
 * A test that prints is noise, and noise hides failures: what it printed is shown, and it counts as failed.
 */
export default class CountReporter extends DefaultReporter {
  readonly #noise: UserConsoleLog[] = [];

  constructor() {
    super({ summary: false });
  }

  /** Without vitest's banner. */
  override onInit(vitest: Vitest): void {
    this.ctx = vitest;
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    if (this.isTTY) process.stdout.write(test.result().state === "failed" ? "x" : ".");
  }

  override onUserConsoleLog(log: UserConsoleLog): void {
    this.#noise.push(log);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    if (this.isTTY) process.stdout.write("\n");
    super.onTestRunEnd(modules, errors, reason);
    this.#printNoise();
    this.log(countLine(count(modules, errors.length, this.#noise)));
    if (this.#noise.length > 0) process.exitCode = 1;
  }

  /** Files and their tests are not listed while they pass, and failures are printed once, at the end. */
  protected override printTestModule(): void {}

  /** The failures with their code frames are printed before this; the table of times is not. */
  override reportTestSummary(): void {}

  #printNoise(): void {
    for (const log of this.#noise) {
      const task = log.taskId === undefined ? undefined : this.ctx.state.idMap.get(log.taskId);
      const where = task === undefined ? "a test" : this.getFullName(task, " > ");
      this.error(`FAIL  ${where} printed to ${log.type}:\n${log.content}`);
    }
  }
}

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Contract: `failed` is above zero whenever anything at all went wrong, also where no test could run: a file that
 * does not load, a failing hook of a suite, an unhandled error, a file that printed outside of its tests.
 */
function count(
  modules: readonly TestModule[],
  unhandledErrors: number,
  noise: readonly UserConsoleLog[],
): Count {
  const noisy = new Set(noise.map((log) => log.taskId));
  let [passed, failed, skipped] = [0, unhandledErrors, 0];
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      const printed = noisy.delete(test.id);
      if (state === "failed" || printed) failed += 1;
      else if (state === "passed") passed += 1;
      else skipped += 1;
    }
  }
  return { passed, failed: failed + noisy.size, skipped };
}

function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
