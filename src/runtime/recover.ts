import { rmSync } from "node:fs";
import { OWNER_MARKER, RUN_MARKER } from "../agent/environment.ts";
import { killUntilGone, markedProcesses } from "../agent/processes.ts";
import type { Clock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { KILLED } from "./endings.ts";
import type { InFlight, InFlightRecord } from "./in-flight.ts";
import type { Manifest } from "./manifest.ts";
import { isAlive } from "./owner.ts";
import type { RuntimeParts } from "./parts.ts";
import { clearResumeDirectories, isResumeDirectory } from "./resume-directories.ts";
import { finish, newDraft, type StepResult } from "./step-result.ts";

/**
 * Ends the processes that flowers left running in a run directory when they were cut off in the middle of a step: a CLI
 * goes on by itself, unmirrored, and what it had started goes with it. What a flower that came to its own end left there
 * is left on purpose (a server that a worker started with `nohup … &`) and lives on.
 */
export async function endLeftovers(runDir: string, inFlight: InFlight, clock: Clock): Promise<void> {
  const cutOff = new Set(inFlight.leftovers().map(({ record }) => record.owner.process));
  const isUnknown = inFlight.unreadable().length > 0;
  const leftovers = () =>
    markedProcesses(RUN_MARKER, runDir).filter(({ env }) => {
      const owner = env.get(OWNER_MARKER);
      return owner !== undefined && !isAlive(owner) && (isUnknown || cutOff.has(owner));
    });
  await killUntilGone(leftovers, clock);
}

/**
 * Puts in order what flowers that were killed left in the run directory: what their CLIs had written and the store
 * never saw goes into the store, and their steps into the manifest. Their processes must be gone already.
 *
 * Contract: idempotent, and nothing is taken away before it is safe elsewhere, so that two flowers that begin at once,
 * or one that is killed here, do no harm. Returns a line for the human for each step, and for what it must leave: records
 * that it cannot read, and those of another host, which only `force` takes for gone. Rejects only on defects.
 */
export async function recover(
  parts: Pick<RuntimeParts, "store" | "projectKey" | "lang">,
  { inFlight, manifest, force }: { inFlight: InFlight; manifest: Manifest; force?: boolean | undefined },
): Promise<string[]> {
  const say = runtimeMessages[parts.lang];
  const notices: string[] = [];
  for (const leftover of inFlight.leftovers({ force })) {
    const { record } = leftover;
    manifest.adopt(record.run, resultOf(record));
    faultPoint("recover/adopted");
    try {
      const rows = await importRows(parts, record);
      faultPoint("recover/imported");
      inFlight.settle(leftover);
      notices.push(say.recovered(record.step, rows));
    } catch (thrown) {
      // The record stays: it alone says where the rows lie, and the next flower tries again.
      notices.push(say.notRecovered(record.step, errorText(thrown)));
    }
  }
  try {
    await clearResumeDirectories(parts, (sessionId) => inFlight.mayBeBusy(sessionId));
  } catch (thrown) {
    notices.push(say.notCleared(errorText(thrown)));
  }
  for (const { record } of inFlight.elsewhere())
    notices.push(say.leftElsewhere(record.step, record.owner.host));
  for (const path of inFlight.unreadable()) notices.push(say.recordUnreadable(path));
  return notices;
}

async function importRows(
  { store, projectKey }: Pick<RuntimeParts, "store" | "projectKey">,
  { sessionId, configDirectory }: InFlightRecord,
): Promise<number> {
  if (sessionId === null || configDirectory === null) return 0;
  const rows = await store.importLocal(configDirectory, { projectKey, sessionId });
  if (isResumeDirectory(configDirectory)) rmSync(configDirectory, { recursive: true, force: true });
  return rows;
}

function resultOf(record: InFlightRecord): StepResult {
  const { sessionId, costUsd, numTurns, attempts, context, text, errors, resumed, retired } = record;
  const draft = newDraft(record.step, record.startedAt);
  const known = { sessionId, costUsd, numTurns, attempts, context, text, errors, resumed, retired };
  return finish({ ...draft, ...known, error: KILLED }, record.savedAt);
}
