import { type QueryRun, runQuery } from "../agent/query.ts";
import type { QueryOutcome } from "../agent/query-outcome.ts";
import { type LocalTranscript, readLocalTranscripts } from "../store/local-transcripts.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * Runs a query; what a CLI that died had written for itself, and had no time to mirror, is in the store before anybody
 * goes on in its session. Read the moment it dies: on a resume the SDK takes the files away right after (0.3.332).
 *
 * Contract: as `runQuery`; rows that could not be saved are told to `onLost`.
 */
export async function runKeepingRows(
  { store, projectKey }: Pick<RuntimeParts, "store" | "projectKey">,
  run: QueryRun,
  onLost: (thrown: unknown) => void,
): Promise<QueryOutcome> {
  let sessionId: string | undefined;
  let kept: readonly LocalTranscript[] = [];
  const orTell = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      onLost(thrown);
    }
  };
  const outcome = await runQuery({
    ...run,
    onSession: (id) => {
      sessionId = id;
      run.onSession?.(id);
    },
    onCrash: (configDirectory) => {
      const id = sessionId;
      if (id === undefined) return;
      void orTell(() => {
        kept = readLocalTranscripts(configDirectory, { projectKey, sessionId: id });
      });
    },
  });
  await orTell(() => store.addMissing(kept));
  return outcome;
}
