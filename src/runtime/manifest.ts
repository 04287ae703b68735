import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import { faultPoint } from "../base/fault-point.ts";
import { readTextIfExists, setAside, withFileLock, writeTextAtomic } from "../base/files.ts";
import type { Lang } from "../lang/lang.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import type { StepResult } from "./step-result.ts";

/** A row of another run is kept as it is, whatever it holds: another version may have written it. */
const rowsSchema = z.array(z.unknown());

/**
 * `manifest.json`: one row a step, over all runs of the directory. An array of objects with snake_case keys,
 * times in seconds, as the Python original wrote it.
 */
export class Manifest {
  readonly path: string;
  /** What went wrong with the file, for the human; empty when nothing did. */
  readonly notices: string[] = [];
  readonly #run: string;
  readonly #clock: Clock;
  readonly #lang: Lang;

  constructor(options: { path: string; run: string; clock: Clock; lang: Lang }) {
    this.path = options.path;
    this.#run = options.run;
    this.#clock = options.clock;
    this.#lang = options.lang;
  }

  /** Sets a file that cannot be read aside, before the first step costs anything. */
  check(): void {
    withFileLock(this.path, () => this.#read());
  }

  /**
   * Replaces this run's rows and keeps everybody else's. Re-reads under a lock, so that parallel runs never
   * lose each other's. Small and synchronous: it is also called from a signal handler.
   */
  write(results: readonly StepResult[]): void {
    withFileLock(this.path, () => {
      const others = this.#read().filter((row) => !isOfRun(row, this.#run));
      faultPoint("manifest/locked");
      const rows = [...others, ...results.map((result) => manifestRow(result, this.#run))];
      writeTextAtomic(this.path, `${JSON.stringify(rows, null, 2)}\n`);
    });
  }

  /** Adds the row of a run that cannot write it any more, unless it stands there. */
  adopt(run: string, result: StepResult): void {
    withFileLock(this.path, () => {
      const rows = this.#read();
      const row = manifestRow(result, run);
      if (rows.some((other) => isOfRun(other, run) && isSameStep(other, row))) return;
      writeTextAtomic(this.path, `${JSON.stringify([...rows, row], null, 2)}\n`);
    });
  }

  #read(): readonly unknown[] {
    const text = readTextIfExists(this.path);
    if (text === undefined) return [];
    const rows = parseRows(text);
    if (rows !== undefined) return rows;
    const kept = setAside(this.path, this.#clock.now());
    this.notices.push(runtimeMessages[this.#lang].manifestCorrupt(this.path, kept));
    return [];
  }
}

function parseRows(text: string): readonly unknown[] | undefined {
  try {
    const parsed = rowsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function isOfRun(row: unknown, run: string): boolean {
  return typeof row === "object" && row !== null && "run" in row && row.run === run;
}

const stepSchema = z.looseObject({ step: z.string(), started_at: z.number() });

function isSameStep(one: unknown, other: unknown): boolean {
  const [a, b] = [stepSchema.safeParse(one).data, stepSchema.safeParse(other).data];
  return a !== undefined && a.step === b?.step && a.started_at === b.started_at;
}

function manifestRow(result: StepResult, run: string): Record<string, unknown> {
  return {
    step: result.step,
    session_id: result.sessionId,
    ok: result.ok,
    cost_usd: result.costUsd,
    num_turns: result.numTurns,
    text: result.text,
    error: result.error,
    started_at: result.startedAt / 1000,
    ended_at: result.endedAt / 1000,
    attempts: result.attempts,
    errors: result.errors,
    resumed: result.resumed,
    retired: result.retired,
    context: result.context,
    duration_s: result.durationS,
    run,
  };
}
