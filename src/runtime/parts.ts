import type { Clock } from "../base/clock.ts";
import type { Env } from "../config/env.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Lang } from "../lang/lang.ts";
import type { Resilience } from "../resilience/resilience.ts";
import type { PruningSessionStore } from "../store/pruning-session-store.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { ResolvedHandoff } from "./handoff-policy.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Spend } from "./spend.ts";

/** What one run of a step needs from the runtime it belongs to. */
export interface RuntimeParts {
  readonly workspace: string;
  /** The CLI's own directory, below the run directory. */
  readonly configDirectory: string;
  readonly env: Env;
  readonly markers: Readonly<Record<string, string>>;
  readonly portable: boolean;
  readonly plugins: readonly string[];
  readonly store: PruningSessionStore;
  readonly projectKey: string;
  readonly workbench: Workbench | undefined;
  /** Characters; null = results are never spilled. */
  readonly spillThreshold: number | null;
  readonly resilience: Resilience;
  readonly handoff: ResolvedHandoff;
  /** Undefined when it is switched off. Throws nothing once the runtime is prepared. */
  readonly gateway: () => Gateway | undefined;
  readonly spend: Spend;
  readonly interrupts: Interrupts;
  /** Lines that were told to the human already; each is told once a run. */
  readonly toldOnce: Set<string>;
  readonly clock: Clock;
  readonly lang: Lang;
}
