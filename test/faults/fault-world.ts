import dns from "node:dns";
import type { Event } from "../../src/events/event.ts";
import { reachable } from "../../src/resilience/reachable.ts";
import type { ResilienceOptions } from "../../src/resilience/resilience.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { Responder, ScriptEntry, ScriptedModel } from "../../src/testing/index.ts";
import { makeRunWorld, type RunWorld } from "../support/run-world.ts";
import { type SkippingClock, skippingClock } from "./skipping-clock.ts";

/** A name that resolves only where `playDns` says so. */
export const NAME = "api.flower.invalid";

export interface FaultWorld {
  readonly world: RunWorld;
  readonly clock: SkippingClock;
  readonly events: readonly Event[];
  readonly hasGateway: boolean;
  /** What the flower process has as its environment; may be changed while it runs. */
  readonly env: Record<string, string>;
  readonly model: ScriptedModel;
  /** From now on the endpoint is away; it comes back when it was looked for in vain so many times. */
  awayForProbes(count: number, back: () => unknown): void;
  /** Puts the clock forward again and again until the client gave the call up. */
  silent(call: number, ms: number): void;
  /** Starts the model; what it plays may be changed while it runs. */
  start(): Promise<void>;
  play(scenario: Scenario): void;
  runtime(resilience?: ResilienceOptions): Runtime;
  readonly onEvent: (event: Event) => void;
  end(): Promise<void>;
}

export type Scenario = Responder | readonly ScriptEntry[];

function responder(scenario: Scenario): Responder {
  if (typeof scenario === "function") return scenario;
  const entries = Array.from(scenario);
  return (request, signal) => {
    const entry = entries.shift();
    return typeof entry === "function" ? entry(request, signal) : entry;
  };
}

/** A run on a clock of its own: every wait that is flower's takes no time, those of the CLI what they take. */
export function makeFaultWorld(hasGateway: boolean, startMs?: number): FaultWorld {
  const world = makeRunWorld();
  const clock = skippingClock(startMs);
  let away: { left: number; readonly back: () => unknown } | undefined;
  let model: ScriptedModel | undefined;
  let respond: Responder = () => undefined;
  const env: Record<string, string> = {};
  const started = (): ScriptedModel => {
    if (model === undefined) throw new Error("start the model first");
    return model;
  };
  const probe: ResilienceOptions["probe"] = async (host, port, options) => {
    const isThere = await reachable(host, port, options);
    if (isThere || away === undefined) return isThere;
    away.left -= 1;
    if (away.left === 0) await away.back();
    // The loop sleeps until its next look as soon as it has this answer.
    setImmediate(() => clock.skip(15_000));
    return false;
  };
  const ends = new AbortController();
  return {
    world,
    clock,
    events: world.events,
    hasGateway,
    env,
    get model() {
      return started();
    },
    awayForProbes: (count, back) => {
      away = { left: count, back };
    },
    silent: (call, ms) => {
      const wait = (): void => {
        if (ends.signal.aborted || started().calls[call]?.clientGone) return;
        clock.skip(ms);
        setTimeout(wait, 50);
      };
      setImmediate(wait);
    },
    start: async () => {
      model = await world.play((request, signal) => respond(request, signal));
      Object.assign(env, world.env());
    },
    play: (scenario) => {
      respond = responder(scenario);
    },
    runtime: (resilience) =>
      world.runtime({ gateway: hasGateway, clock, env, resilience: { probe, ...resilience } }),
    onEvent: (event) => {
      world.events.push(event);
      const waitMs =
        event.kind === "retry" && event.payload.phase === "backoff" ? event.payload.wait_ms : null;
      if (waitMs !== null) clock.skipNext(waitMs);
    },
    end: async () => {
      ends.abort();
      await world.end();
    },
  };
}

/** Resolves `NAME` to this machine while `isUp` says so, and fails as a resolver without a network does otherwise. */
export function playDns(isUp: () => boolean): () => void {
  const real = dns.lookup;
  const played = (name: string, ...rest: unknown[]): void => {
    if (name === NAME && !isUp()) {
      const callback = rest.at(-1) as (error: Error) => void;
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
        code: "ENOTFOUND",
        syscall: "getaddrinfo",
      });
      setImmediate(() => callback(error));
      return;
    }
    Reflect.apply(real, dns, [name === NAME ? "127.0.0.1" : name, ...rest]);
  };
  dns.lookup = played as typeof dns.lookup;
  return () => {
    dns.lookup = real;
  };
}
