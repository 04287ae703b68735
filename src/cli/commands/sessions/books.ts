import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errnoOf } from "../../../base/errors.ts";
import { readTextIfExists } from "../../../base/files.ts";
import { livenessOf, ownerSchema } from "../../../runtime/owner.ts";

/** What the books of a run directory tell of a session. */
export interface BookedSession {
  /** Undefined when no book knows the session. */
  readonly step: string | undefined;
  /** US dollars and turns of all its steps; undefined when no step of it was booked. */
  readonly costUsd: number | undefined;
  readonly turns: number | undefined;
}

/** Why a session should stay. */
export interface Protection {
  /**
   * `inFlight`: a step is at work in it, or may be. `cutOff`: one was, and is not booked yet. `lineage`: the next run
   * of that step wakes it.
   */
  readonly reason: "inFlight" | "cutOff" | "lineage";
  readonly step: string;
}

/** The books, as they stood when they were read. */
export interface Books {
  readonly of: (sessionId: string) => BookedSession;
  readonly protectionOf: (sessionId: string) => Protection | undefined;
}

const rowSchema = z.looseObject({
  step: z.string(),
  session_id: z.string().nullable(),
  cost_usd: z.number().catch(0),
  num_turns: z.number().catch(0),
  retired: z.array(z.string()).catch([]),
});

const lineageSchema = z.looseObject({ steps: z.record(z.string(), z.string()) });

/** As much of an `InFlightRecord` as is asked for here. */
const flightSchema = z.looseObject({
  owner: ownerSchema,
  step: z.string(),
  sessionId: z.string().nullable(),
  booked: z.boolean(),
  costUsd: z.number(),
  numTurns: z.number(),
});

/**
 * Reads `manifest.json`, `lineage.json` and the steps in flight. What cannot be understood counts as not there, and
 * stays where it is: looking mends nothing. The lineage counts whichever workspace it belongs to. Throws
 * `files/not-readable`.
 */
export function readBooks(runDir: string): Books {
  const rows = rowsIn(join(runDir, "manifest.json"));
  const lineage = lineageSchema.safeParse(jsonIn(join(runDir, "lineage.json"))).data?.steps ?? {};
  const flights = flightsIn(join(runDir, "in-flight")).filter(({ booked }) => !booked);
  const woken = new Map(Object.entries(lineage).map(([step, id]) => [id, step]));
  return {
    of: (id) => {
      const booked = [
        ...rows.filter(({ session_id: own }) => own === id),
        ...flights
          .filter(({ sessionId }) => sessionId === id)
          .map(({ step, costUsd, numTurns }) => ({ step, cost_usd: costUsd, num_turns: numTurns })),
      ];
      const before = rows.find(({ retired }) => retired.includes(id));
      return {
        step: woken.get(id) ?? booked.at(-1)?.step ?? before?.step,
        costUsd: booked.length === 0 ? undefined : sum(booked.map(({ cost_usd: usd }) => usd)),
        turns: booked.length === 0 ? undefined : sum(booked.map(({ num_turns: turns }) => turns)),
      };
    },
    protectionOf: (id) => {
      // A step without a session may branch off from any: it says which only when it has its own.
      const living = flights.find(
        ({ owner, sessionId }) => (sessionId === null || sessionId === id) && livenessOf(owner) !== "gone",
      );
      if (living !== undefined) return { reason: "inFlight", step: living.step };
      const left = flights.find(({ sessionId }) => sessionId === id);
      if (left !== undefined) return { reason: "cutOff", step: left.step };
      const step = woken.get(id);
      return step === undefined ? undefined : { reason: "lineage", step };
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rowsIn(path: string): readonly z.infer<typeof rowSchema>[] {
  const rows = z.array(z.unknown()).safeParse(jsonIn(path)).data ?? [];
  return rows.flatMap((row) => rowSchema.safeParse(row).data ?? []);
}

function flightsIn(directory: string): readonly z.infer<typeof flightSchema>[] {
  return namesIn(directory).flatMap(
    (name) => flightSchema.safeParse(jsonIn(join(directory, name))).data ?? [],
  );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return [];
    throw thrown;
  }
}

function jsonIn(path: string): unknown {
  const text = readTextIfExists(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
