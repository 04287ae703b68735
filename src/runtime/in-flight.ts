import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import { errnoOf } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import { readTextIfExists, withFileLock, writeTextAtomic } from "../base/files.ts";
import { type Liveness, livenessOf, type Owner, ownerSchema } from "./owner.ts";
import type { StepDraft } from "./step-result.ts";

const workerSchema = z.object({ id: z.string(), role: z.string() });

/** A subagent that has begun and not reported; its transcript is kept and can be gone on with by this id. */
export type WorkerInFlight = Readonly<z.infer<typeof workerSchema>>;

const recordSchema = z.object({
  run: z.string(),
  owner: ownerSchema,
  step: z.string(),
  sessionId: z.string().nullable(),
  /** Where the CLI of the last attempt kept its own files; null before it was started. */
  configDirectory: z.string().nullable(),
  workers: z.array(workerSchema),
  /** The step is in the manifest; what remains is only who was cut off. */
  booked: z.boolean(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  savedAt: z.number(),
  costUsd: z.number(),
  numTurns: z.number(),
  attempts: z.number(),
  context: z.number(),
  text: z.string(),
  errors: z.array(z.string()),
  resumed: z.boolean(),
  retired: z.array(z.string()),
});

/** What is known of a step while it runs: enough to book it and to go on with it when its process is gone. */
export type InFlightRecord = Readonly<z.infer<typeof recordSchema>>;

/** One step in flight, on disk. */
export interface Flight {
  /** Cut off in an earlier life of the session, or in this one, and not heard of since. */
  readonly workers: readonly WorkerInFlight[];
  workerBegan(worker: WorkerInFlight): void;
  workerReported(id: string): void;
  /** The session was told of `workers`: those that it leaves lie now are left on purpose. */
  workersTold(): void;
  /** Where the CLI of this attempt keeps its own files. */
  startedIn(configDirectory: string): void;
  /** Writes what the books of the step hold now. */
  save(): void;
  /**
   * The step is over and in the manifest. The record stays while a worker waits to be gone on with: one that was cut
   * off, unless the session was told of it and still did its work to the end (`ok`).
   */
  end(ok: boolean): void;
}

/**
 * The steps in flight of a run directory: one small file each in `in-flight/`, written as a whole whenever something
 * changes that could not be known again. What a killed process leaves there is what it was doing.
 */
export class InFlight {
  readonly #directory: string;
  readonly #run: string;
  readonly #owner: Owner;
  readonly #clock: Clock;
  readonly #onError: (thrown: unknown) => void;
  #count = 0;

  /** `onError` gets what went wrong with a record while its step ran: work does not stop over it. */
  constructor(options: {
    directory: string;
    run: string;
    owner: Owner;
    clock: Clock;
    onError: (thrown: unknown) => void;
  }) {
    this.#directory = options.directory;
    this.#run = options.run;
    this.#owner = options.owner;
    this.#clock = options.clock;
    this.#onError = options.onError;
  }

  /** What steps that were cut off left behind, oldest first; of another host's only what `force` takes for gone. */
  leftovers({ force = false }: { force?: boolean | undefined } = {}): readonly Leftover[] {
    return this.#open(force ? ["gone", "unknown"] : ["gone"]);
  }

  /** What a flower on another host left, or is at work on: that cannot be told from here. */
  elsewhere(): readonly Leftover[] {
    return this.#open(["unknown"]);
  }

  /** Files that cannot be understood, by path: another version may have written them. */
  unreadable(): readonly string[] {
    return this.#read().unreadable;
  }

  /** Whether somebody who may live is at work in this session, or in one that is not known yet. */
  mayBeBusy(sessionId: string): boolean {
    return this.#open(["alive", "unknown"]).some(
      ({ record }) => record.sessionId === null || record.sessionId === sessionId,
    );
  }

  #open(livenesses: readonly Liveness[]): readonly Leftover[] {
    return this.#read()
      .records.filter(({ record }) => !record.booked && livenesses.includes(livenessOf(record.owner)))
      .sort((one, other) => one.record.startedAt - other.record.startedAt);
  }

  /** The step is in the manifest now; only its workers, if any, are kept in mind. */
  settle({ path, record }: Leftover): void {
    if (record.workers.length === 0 || record.sessionId === null) rmSync(path, { force: true });
    else writeRecord(path, { ...record, booked: true });
  }

  /**
   * Begins the record of a step. With `resume` the workers that were cut off in that session come along, as far as
   * they `canGoOn`. Undefined when a process that lives is at work in that session: under one lock with the record, so
   * that of two that begin at once one is told. Throws `files/not-writable`, `files/locked`.
   */
  begin(draft: StepDraft, options: BeginOptions): Flight | undefined {
    return withFileLock(join(this.#directory, "begin"), () =>
      options.resume !== undefined && this.#isBusy(options.resume) ? undefined : this.#begin(draft, options),
    );
  }

  #isBusy(sessionId: string): boolean {
    return this.#open(["alive"]).some(({ record }) => record.sessionId === sessionId);
  }

  #begin(draft: StepDraft, { resume, canGoOn }: BeginOptions): Flight {
    this.#count += 1;
    const path = join(this.#directory, `${this.#run}-${this.#count}.json`);
    const earlier = this.#read().records.filter(({ record }) => record.booked && record.sessionId === resume);
    const workers = new Map<string, WorkerInFlight>();
    for (const worker of earlier.flatMap(({ record }) => record.workers))
      if (canGoOn(worker)) workers.set(worker.id, worker);
    const told = new Set<string>();
    let configDirectory: string | null = null;
    const write = (booked: boolean): void => {
      const record: InFlightRecord = {
        run: this.#run,
        owner: this.#owner,
        step: draft.step,
        sessionId: draft.sessionId ?? resume ?? null,
        configDirectory,
        workers: [...workers.values()],
        booked,
        startedAt: draft.startedAt,
        savedAt: this.#clock.now(),
        costUsd: draft.costUsd,
        numTurns: draft.numTurns,
        attempts: draft.attempts,
        context: draft.context,
        text: draft.text,
        errors: [...draft.errors],
        resumed: draft.resumed,
        retired: [...draft.retired],
      };
      writeRecord(path, record);
    };
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (thrown) {
        this.#onError(thrown);
      }
    };
    const save = (): void => attempt(() => write(false));
    write(false);
    faultPoint("flight/begun");
    // Only now: killed in between, the workers stand in both.
    for (const { path: old } of earlier) rmSync(old, { force: true });
    return {
      get workers() {
        return [...workers.values()];
      },
      workerBegan: (worker) => {
        workers.set(worker.id, worker);
        save();
        faultPoint("flight/worker");
      },
      workerReported: (id) => {
        if (workers.delete(id)) save();
      },
      startedIn: (directory) => {
        configDirectory = directory;
        save();
        faultPoint("flight/spawning");
      },
      workersTold: () => {
        for (const id of workers.keys()) told.add(id);
      },
      save,
      end: (ok) =>
        attempt(() => {
          if (ok) for (const id of told) workers.delete(id);
          if (workers.size === 0) rmSync(path, { force: true });
          else write(true);
        }),
    };
  }

  #read(): { readonly records: readonly Leftover[]; readonly unreadable: readonly string[] } {
    const records: Leftover[] = [];
    const unreadable: string[] = [];
    for (const name of namesIn(this.#directory)) {
      const path = join(this.#directory, name);
      const text = readTextIfExists(path);
      // Gone meanwhile: its step has ended.
      if (text === undefined) continue;
      const record = parse(text);
      if (record === undefined) unreadable.push(path);
      else records.push({ path, record });
    }
    return { records, unreadable };
  }
}

interface BeginOptions {
  readonly resume?: string | undefined;
  readonly canGoOn: (worker: WorkerInFlight) => boolean;
}

/** A record that its process will not touch any more. */
export interface Leftover {
  readonly path: string;
  readonly record: InFlightRecord;
}

/** Several in each turn: what a power cut may take is the tail of one step, and its session is in the database. */
function writeRecord(path: string, record: InFlightRecord): void {
  writeTextAtomic(path, JSON.stringify(record), { durable: false });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return [];
    throw thrown;
  }
}

function parse(text: string): InFlightRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
