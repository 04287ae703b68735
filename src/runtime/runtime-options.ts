import type { Clock } from "../base/clock.ts";
import type { RandomHex } from "../base/ids.ts";
import type { Env } from "../config/env.ts";
import type { EventSink } from "../events/event.ts";
import type { Lang } from "../lang/lang.ts";
import type { ResilienceOptions } from "../resilience/resilience.ts";
import type { EphemeralPolicy, TrimPolicy } from "../store/policies.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { HandoffPolicy } from "./handoff-policy.ts";
import type { MailSource } from "./mail-delivery.ts";

/** What a runtime is made of; only the workspace must be given. */
export interface RuntimeOptions {
  /** Where the agents work; created when missing. The SDK files its sessions under this path. */
  readonly workspace: string;
  /** Sessions, manifest, lineage. Default `<workspace>/runs`. */
  readonly runDir?: string | undefined;
  /** True: nothing is read from the host's or the project's `.claude`. Default true. */
  readonly portable?: boolean;
  /** Large old results leave the history on resume. Default false. */
  readonly trim?: TrimPolicy | boolean;
  /** Results of glances go stale on resume. Default true. */
  readonly ephemeral?: EphemeralPolicy | boolean;
  /** Denied calls that stay in the history, newest first. Default 1. */
  readonly keepDenials?: number;
  /** True: one at `<runDir>/workbench`. Default false. */
  readonly workbench?: Workbench | boolean;
  /** Characters above which a result goes to a file; null or 0: never. Default 4000. */
  readonly spillThreshold?: number | null;
  /** False: the CLI talks to the API itself, knows the key, and fails when the network does. Default true. */
  readonly gateway?: boolean;
  /** US dollars that all steps of this runtime may cost together; null: no limit. Default null. */
  readonly budgetUsd?: number | null | undefined;
  readonly resilience?: ResilienceOptions | boolean;
  readonly handoff?: HandoffPolicy | boolean;
  /** Instead of the process's environment; `.env` files still add to it. */
  readonly env?: Env;
  /** False: the environment is complete, no `.env` file is looked for. Default true. */
  readonly dotenv?: boolean;
  /** Directories of Claude Code plugins. */
  readonly plugins?: readonly string[];
  /** Default: the directory's own language; another is an error, see `directoryLang`. */
  readonly lang?: Lang | undefined;
  /** What is in the directory will be archived (`starterFlow`), so `lang` may be another. Default false. */
  readonly new?: boolean | undefined;
  readonly clock?: Clock;
  readonly random?: RandomHex;
}

/** What one run of a step may be given. */
export interface RunOptions {
  /** The row's name in the manifest. Default: the spec's name. */
  readonly stepName?: string;
  /**
   * Works in this directory, a copy of the workspace, instead of the workspace. Its sessions are filed under a project of
   * their own, where no later run finds them: not with `resume`.
   */
  readonly cwd?: string | undefined;
  /** Session to go on in. */
  readonly resume?: string | undefined;
  /** Branch off instead of going on; the original stays as it is. */
  readonly fork?: boolean;
  /** Uuid of the message to go back to. */
  readonly resumeAt?: string | undefined;
  /** Contract: may throw; what it throws is collected in `sinkErrors`. */
  readonly onEvent?: EventSink | undefined;
  /** Like the runtime's own `onSession`, for this run alone. */
  readonly onSession?: ((sessionId: string) => void) | undefined;
  /** What the step is about, when `prompt` only goes on with it. Default: the prompt. */
  readonly task?: string | undefined;
  /** What a human says unasked goes to the model while a turn runs, at its next boundary. Default: nothing does. */
  readonly mail?: MailSource | undefined;
  /** Ends the step and every process of it; the result says `interrupted-by-human`, or `KILLED` if that is the reason. */
  readonly signal?: AbortSignal | undefined;
}
