import { join } from "node:path";
import { z } from "zod";
import { type Clock, systemClock } from "../base/clock.ts";
import { FlowerError } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import { readTextIfExists, setAside, withFileLock, writeTextAtomic } from "../base/files.ts";
import type { Lang } from "../lang/lang.ts";
import { workflowMessages } from "../lang/messages/workflow.ts";
import { livenessOf, type Owner, ownerSchema, thisOwner } from "../runtime/owner.ts";

const claimsSchema = z.record(
  z.string(),
  z.object({ owner: ownerSchema, run: z.string(), /** Milliseconds since the epoch. */ since: z.number() }),
);

type Claims = z.infer<typeof claimsSchema>;

export interface ClaimOptions {
  readonly runDir: string;
  /** Names of steps, without suffix. */
  readonly steps: readonly string[];
  readonly run: string;
  readonly lang: Lang;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Take over what a flower on another machine holds, whose end cannot be seen from here. Default false. */
  readonly force?: boolean | undefined;
  readonly owner?: Owner;
  /** Told what was kept aside, for the human. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Claims steps of a run directory for one run, all of them or none: two flowers on the same step would write each
 * other's sessions and notes. What a dead process held is taken over. Returns the function that gives them back; steps
 * that this run holds already stay with whoever claimed them first.
 *
 * Throws `workflow/busy` when another flower that lives, or may live, holds one of them.
 */
export function claimSteps(options: ClaimOptions): () => void {
  const { steps, run, clock = systemClock } = options;
  const path = join(options.runDir, "claims.json");
  const owner = options.owner ?? thisOwner();
  const taken = withFileLock(path, () => {
    const claims = read(path, options);
    for (const step of steps) assertFree(claims, step, options);
    const mine = steps.filter((step) => claims[step]?.run !== run);
    const since = clock.now();
    const added = Object.fromEntries(mine.map((step) => [step, { owner, run, since }]));
    faultPoint("claim/locked");
    writeTextAtomic(path, `${JSON.stringify({ ...claims, ...added }, null, 2)}\n`, {
      durable: false,
    });
    return mine;
  });
  return () => {
    if (taken.length === 0) return;
    withFileLock(path, () => {
      const kept = Object.entries(read(path, options)).filter(
        ([step, claim]) => claim.run !== run || !taken.includes(step),
      );
      writeTextAtomic(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`, {
        durable: false,
      });
    });
  };
}

function assertFree(
  claims: Claims,
  step: string,
  { run, lang, force, clock = systemClock }: ClaimOptions,
): void {
  const claim = claims[step];
  if (claim === undefined || claim.run === run) return;
  const liveness = livenessOf(claim.owner);
  if (liveness === "gone" || (liveness === "unknown" && force)) return;
  const say = workflowMessages[lang];
  const minutes = Math.max(0, Math.round((clock.now() - claim.since) / 60_000));
  const who = `${claim.owner.process.split(":", 1)[0] ?? "?"}@${claim.owner.host}`;
  throw new FlowerError("workflow/busy", say.busy(step, who, minutes), {
    hint: liveness === "alive" ? say.busyHint : say.busyElsewhereHint,
  });
}

/** A file that cannot be understood is set aside: claims are worth less than the work they would hold up. */
function read(path: string, { lang, clock = systemClock, onNotice }: ClaimOptions): Claims {
  const text = readTextIfExists(path);
  if (text === undefined) return {};
  try {
    return claimsSchema.parse(JSON.parse(text));
  } catch {
    const kept = setAside(path, clock.now());
    onNotice?.(workflowMessages[lang].claimsKept(path, kept));
    return {};
  }
}
