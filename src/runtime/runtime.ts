import { join } from "node:path";
import { OWNER_MARKER, RUN_MARKER } from "../agent/environment.ts";
import { projectKey } from "../agent/project-key.ts";
import type { AgentSpec } from "../agent/spec.ts";
import { errorText, FlowerError } from "../base/errors.ts";
import { faultPoint } from "../base/fault-point.ts";
import type { LoadedEnvironment } from "../config/load-environment.ts";
import { describeNotice } from "../config/notices.ts";
import { createEvent, type Event, type EventSink } from "../events/event.ts";
import { safeSink } from "../events/sink.ts";
import type { Lang } from "../lang/lang.ts";
import { runtimeMessages } from "../lang/messages/runtime.ts";
import { INTERRUPT_NOTE } from "../lang/prompts.ts";
import type { Resilience } from "../resilience/resilience.ts";
import { PruningSessionStore } from "../store/pruning-session-store.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { checkRun, unknownMessage } from "./check-input.ts";
import { HANDOFF_DUE, INTERRUPTED, KILLED } from "./endings.ts";
import { excludeFromGit } from "./git-exclude.ts";
import type { ResolvedHandoff } from "./handoff-policy.ts";
import { InFlight } from "./in-flight.ts";
import { Interrupts } from "./interrupts.ts";
import { Manifest } from "./manifest.ts";
import { createOwnGateway, type OwnGateway } from "./own-gateway.ts";
import { thisOwner } from "./owner.ts";
import type { RuntimeParts } from "./parts.ts";
import { endLeftovers, recover } from "./recover.ts";
import { runStep } from "./run-step.ts";
import type { RunOptions, RuntimeOptions } from "./runtime-options.ts";
import { resolveSettings } from "./settings.ts";
import { finish, newDraft, type StepDraft, type StepResult } from "./step-result.ts";
import { isTakenAlong } from "./taken-along.ts";

/** How what an earlier flower left is taken up. */
export interface PrepareOptions {
  /** Also of a flower on another host, whose end cannot be seen from here. Default false. */
  readonly force?: boolean | undefined;
}

/**
 * Runs steps in one workspace and keeps their books.
 *
 * Throws at construction, before anything is spent. Before anything is made either: `config/no-credentials`,
 * `resilience/bad-base-url`, `runtime/bad-budget`, `runtime/handoff-window`, `runtime/bad-limit`, `config/bad-window`,
 * `store/bad-policy`, `resilience/bad-policy`. Then `files/not-a-directory`, `files/not-writable`,
 * `store/schema-too-new`. A file that is corrupt is kept aside and named in `notices`.
 */
export class Runtime {
  static readonly INTERRUPTED = INTERRUPTED;
  static readonly HANDOFF_DUE = HANDOFF_DUE;
  static readonly INTERRUPT_NOTE = INTERRUPT_NOTE;

  readonly workspace: string;
  readonly runDir: string;
  readonly portable: boolean;
  readonly lang: Lang;
  readonly store: PruningSessionStore;
  readonly resilience: Resilience;
  readonly handoff: ResolvedHandoff;
  readonly workbench: Workbench | undefined;
  readonly spillThreshold: number | null;
  readonly runId: string;
  /** Where each credential key came from, and what was wrong with a `.env`. */
  readonly environment: LoadedEnvironment;
  /** Finished steps of this run, in order. */
  readonly results: StepResult[] = [];
  /** Called the moment the session id of a running step is known. */
  onSession: ((sessionId: string, step: string) => void) | undefined;
  /** What event sinks threw. */
  readonly sinkErrors: unknown[] = [];

  readonly #manifest: Manifest;
  readonly #parts: RuntimeParts;
  readonly #notices: string[] = [];
  readonly #drafts = new Set<StepDraft>();
  readonly #inFlight: InFlight;
  readonly #gateway: OwnGateway;
  #prepared: Promise<void> | undefined;
  #closed = false;

  constructor(options: RuntimeOptions) {
    const settings = resolveSettings(options);
    const { runDir, runId, lang, clock, resilience } = settings;
    this.workspace = settings.workspace;
    this.runDir = runDir;
    this.runId = runId;
    this.environment = settings.environment;
    this.lang = lang;
    this.portable = settings.portable;
    this.spillThreshold = settings.spillThreshold;
    this.resilience = resilience;
    this.handoff = settings.handoff;
    this.workbench = settings.workbench;
    this.#manifest = new Manifest({ path: join(runDir, "manifest.json"), run: runId, clock, lang });
    this.#manifest.check();
    this.store = new PruningSessionStore({
      path: join(runDir, "sessions.db"),
      workspace: this.workspace,
      trim: options.trim ?? false,
      ephemeral: options.ephemeral ?? true,
      prune: { keepDenials: options.keepDenials ?? 1 },
      lang,
      clock,
    });
    const { env } = this.environment;
    this.#gateway = createOwnGateway({ env, resilience, lang, clock }, options.gateway ?? true);
    const owner = thisOwner();
    this.#inFlight = new InFlight({
      directory: join(runDir, "in-flight"),
      run: runId,
      owner,
      clock,
      onError: (thrown) => this.sinkErrors.push(thrown),
    });
    this.#parts = {
      ...settings,
      configDirectory: join(runDir, "claude"),
      env,
      markers: { [RUN_MARKER]: runDir, [OWNER_MARKER]: owner.process },
      plugins: options.plugins ?? [],
      store: this.store,
      projectKey: projectKey(this.workspace),
      gateway: () => this.#gateway.current,
      interrupts: new Interrupts(),
      toldOnce: new Set(),
    };
  }

  get manifestPath(): string {
    return this.#manifest.path;
  }

  /** The key under which the SDK files this workspace's sessions. */
  get projectKey(): string {
    return this.#parts.projectKey;
  }

  /** What was found broken and kept aside; grows while steps run. Each line is also an event, once. */
  get notices(): readonly string[] {
    const config = this.environment.notices.map((notice) => describeNotice(notice, this.lang));
    return [...config, ...this.#manifest.notices, ...this.store.notices, ...this.#notices];
  }

  /** Also one that is filed under another project and is this workspace's all the same (SPEC 20.10): it is taken along. */
  hasSession(sessionId: string): boolean {
    if (this.store.hasSession(this.projectKey, sessionId)) return true;
    return this.store.adopt(this.projectKey, sessionId, (cwd) => isTakenAlong(cwd, this));
  }

  /** Tokens in the main thread's context at the last reply of a session; 0 when unknown. */
  contextOf(sessionId: string): number {
    return this.hasSession(sessionId) ? this.store.lastContext(this.projectKey, sessionId) : 0;
  }

  /** US dollars that this run has cost so far: its finished steps, and what those that run have cost by now. */
  totalCost(): number {
    return this.#parts.spend.usd;
  }

  /** Gives each notice that nobody was told yet to `onEvent`. Steps do it by themselves, as they begin and end. */
  tellNotices(onEvent: EventSink | undefined): void {
    if (onEvent === undefined) return;
    for (const notice of this.notices) {
      if (this.#parts.toldOnce.has(notice)) continue;
      this.#parts.toldOnce.add(notice);
      const event: Event = createEvent("system", { subtype: "notice" }, { text: notice });
      onEvent(event);
    }
  }

  /**
   * Ends what a flower that died here left running, and saves what it left undone; once, the first call does it. Steps
   * wait for it by themselves; whoever asks for sessions before the first step calls it.
   */
  prepare(options: PrepareOptions = {}): Promise<void> {
    this.#prepared ??= this.#prepare(options).catch((thrown: unknown) => {
      // The next step tries again: what stood in the way may be gone by then.
      this.#prepared = undefined;
      throw thrown;
    });
    return this.#prepared;
  }

  /** Runs one step to its end. Rejects on bad arguments and defects only: a failed step is a result. */
  async run(spec: AgentSpec, prompt: string, options: RunOptions = {}): Promise<StepResult> {
    this.#requireOpen();
    checkRun(spec, options, this.lang);
    await this.prepare();
    this.#requireOpen();
    if (options.resume !== undefined) this.#requireSession(options.resume, options.resumeAt);
    const step = options.stepName ?? spec.name;
    const onEvent = safeSink(options.onEvent, this.sinkErrors);
    this.tellNotices(onEvent);
    const draft = newDraft(step, this.#parts.clock.now());
    const flight = this.#inFlight.begin(draft, {
      resume: options.fork ? undefined : options.resume,
      canGoOn: ({ id }) => this.store.isUnfinished(this.projectKey, options.resume ?? "", id),
    });
    if (flight === undefined) throw this.#busy(options.resume ?? "");
    this.#drafts.add(draft);
    try {
      await runStep(
        this.#partsIn(options.cwd),
        {
          spec,
          turn: { prompt, resume: options.resume, fork: options.fork, resumeAt: options.resumeAt },
          task: options.task ?? prompt,
          onEvent,
          onSession: (sessionId) => {
            this.#guard(() => options.onSession?.(sessionId));
            this.#guard(() => this.onSession?.(sessionId, step));
          },
          flight,
          mail: options.mail,
          signal: options.signal,
        },
        draft,
      );
    } catch (thrown) {
      draft.error = errorText(thrown);
      // Nothing was spent before a session was known: then the mistake is the caller's alone.
      if (draft.sessionId !== null) this.#book(draft);
      flight.end(false);
      throw thrown;
    } finally {
      this.#drafts.delete(draft);
    }
    faultPoint("step/ended");
    // The row first: killed in between, the step stands in both, and is booked once.
    const result = this.#book(draft);
    faultPoint("step/booked");
    flight.end(result.ok);
    this.tellNotices(onEvent);
    return result;
  }

  /**
   * Breaks the turn that is running, at once; its session goes on, in the same process, with `message` and a note
   * that what came back interrupted is no fault of the environment. Subagents work on in the background. Without a
   * message the note alone is said, and nothing when the turn ended by itself. False when no turn is running.
   */
  interrupt(message = ""): boolean {
    return this.#parts.interrupts.interrupt(message);
  }

  /** On SIGHUP or SIGTERM: steps in flight go into the manifest. Small synchronous writes only. */
  rescue(): void {
    const endedAt = this.#parts.clock.now();
    const killed = [...this.#drafts].map((draft) => finish({ ...draft, ok: false, error: KILLED }, endedAt));
    this.#manifest.write([...this.results, ...killed]);
  }

  /** Closes the database; no step can run afterwards. */
  close(): void {
    this.#closed = true;
    this.#gateway.close();
    this.store.close();
  }

  #partsIn(cwd: string | undefined): RuntimeParts {
    return cwd === undefined ? this.#parts : { ...this.#parts, workspace: cwd, projectKey: projectKey(cwd) };
  }

  #book(draft: StepDraft): StepResult {
    const result = finish(draft, this.#parts.clock.now());
    this.results.push(result);
    this.#manifest.write(this.results);
    return result;
  }

  /** A listener that throws must not be taken for a failure of the model. */
  #guard(listener: () => void): void {
    try {
      listener();
    } catch (thrown) {
      this.sinkErrors.push(thrown);
    }
  }

  #requireOpen(): void {
    if (!this.#closed) return;
    const say = runtimeMessages[this.lang];
    throw new FlowerError("runtime/closed", say.closed, { hint: say.closedHint });
  }

  #requireSession(sessionId: string, resumeAt: string | undefined): void {
    const say = runtimeMessages[this.lang];
    if (!this.hasSession(sessionId)) {
      throw new FlowerError("runtime/unknown-session", say.unknownSession(sessionId), {
        hint: say.unknownSessionHint,
      });
    }
    if (resumeAt === undefined || this.store.hasEntry(this.projectKey, sessionId, resumeAt)) return;
    throw unknownMessage(sessionId, resumeAt, this.lang);
  }

  #busy(sessionId: string): FlowerError {
    const say = runtimeMessages[this.lang];
    return new FlowerError("runtime/session-busy", say.sessionBusy(sessionId), { hint: say.sessionBusyHint });
  }

  async #prepare({ force }: PrepareOptions): Promise<void> {
    const [inFlight, manifest] = [this.#inFlight, this.#manifest];
    const own = [this.runDir, ...(this.workbench === undefined ? [] : [this.workbench.root])];
    // git answers while the rest is done; it never rejects.
    const excluding = excludeFromGit(this.workspace, own);
    await endLeftovers(this.runDir, inFlight, this.#parts.clock);
    await this.#gateway.start();
    this.#notices.push(...(await recover(this.#parts, { inFlight, manifest, force })));
    const problem = await excluding;
    if (problem !== undefined) this.#notices.push(runtimeMessages[this.lang].notExcluded(problem));
  }
}
