import { rmSync } from "node:fs";
import { basename } from "node:path";
import { OWNER_MARKER, RUN_MARKER } from "../agent/environment.ts";
import { killUntilGone, markedProcesses } from "../agent/processes.ts";
import type { Clock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { KILLED } from "./endings.ts";
import type { InFlight, InFlightRecord } from "./in-flight.ts";
import type { Manifest } from "./manifest.ts";
import { isAlive } from "./owner.ts";
import type { RuntimeParts } from "./parts.ts";
import { finish, newDraft, type StepResult } from "./step-result.ts";

/** Ends the processes that flowers which are gone left running in a run directory. */
export async function endLeftovers(runDir: string, clock: Clock): Promise<void> {
  const leftovers = () =>
    markedProcesses(RUN_MARKER, runDir).filter(({ env }) => {
      const owner = env.get(OWNER_MARKER);
      return owner !== undefined && !isAlive(owner);
    });
  await killUntilGone(leftovers, clock);
}

/**
 * Puts in order what flowers that were killed left in the run directory: what their CLIs had written and the store
 * never saw goes into the store, and their steps into the manifest. Their processes must be gone already.
 *
 * Contract: idempotent, and nothing is taken away before it is safe elsewhere, so that two flowers that begin at once,
 * or one that is killed here, do no harm. Returns a line for the human for each step; rejects only on defects.
 */
export async function recover(
  parts: Pick<RuntimeParts, "store" | "projectKey" | "lang">,
  { inFlight, manifest }: { inFlight: InFlight; manifest: Manifest },
): Promise<string[]> {
  const say = runtimeMessages[parts.lang];
  const notices: string[] = [];
  for (const leftover of inFlight.leftovers()) {
    const { record } = leftover;
    manifest.adopt(record.run, resultOf(record));
    try {
      const rows = await importRows(parts, record);
      inFlight.settle(leftover);
      notices.push(say.recovered(record.step, rows));
    } catch (thrown) {
      // The record stays: it alone says where the rows lie, and the next flower tries again.
      notices.push(say.notRecovered(record.step, errorText(thrown)));
    }
  }
  return notices;
}

/** A resumed CLI works in a directory of its own below the system's temporary one, which nobody else removes. */
const RESUME_DIRECTORY = "claude-resume-";

async function importRows(
  { store, projectKey }: Pick<RuntimeParts, "store" | "projectKey">,
  { sessionId, configDirectory }: InFlightRecord,
): Promise<number> {
  if (sessionId === null || configDirectory === null) return 0;
  const rows = await store.importLocal(configDirectory, { projectKey, sessionId });
  if (basename(configDirectory).startsWith(RESUME_DIRECTORY))
    rmSync(configDirectory, { recursive: true, force: true });
  return rows;
}

function resultOf(record: InFlightRecord): StepResult {
  const { sessionId, costUsd, numTurns, attempts, context, text, errors, resumed, retired } = record;
  const draft = newDraft(record.step, record.startedAt);
  const known = { sessionId, costUsd, numTurns, attempts, context, text, errors, resumed, retired };
  return finish({ ...draft, ...known, error: KILLED }, record.savedAt);
}
