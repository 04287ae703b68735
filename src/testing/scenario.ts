import { errorText } from "../base/errors.ts";
import { describeStep } from "./describe.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptStep } from "./script-step.ts";

/**
 * Decides what to do with a call; `undefined` means that the call was not expected. It may wait, so that a test
 * can hold a call: the signal aborts when the client goes or the scripted model is closed.
 */
export type Responder = (
  request: ModelRequest,
  signal: AbortSignal,
) => ScriptStep | undefined | Promise<ScriptStep | undefined>;

/** A place in a script: a step, or a function that makes one from the call it answers. */
export type ScriptEntry = ScriptStep | Responder;

/** A script of its own for the calls that `when` picks out. */
export type Route =
  | {
      readonly name: string;
      readonly when: (request: ModelRequest) => boolean;
      readonly steps: readonly ScriptEntry[];
    }
  | {
      readonly name: string;
      readonly when: (request: ModelRequest) => boolean;
      readonly respond: Responder;
    };

export interface Routes {
  readonly kind: "routes";
  readonly routes: readonly Route[];
}

/** What the model does: a function, one list of steps in order, or several told apart by `route`. */
export type Scenario = Responder | readonly ScriptEntry[] | Routes;

/**
 * Several scripts at once. A call goes to the first route whose `when` holds, and to no other: where its steps
 * are used up, or where no route matches, the call is unexpected.
 */
export function route(routes: readonly Route[]): Routes {
  return Object.freeze({ kind: "routes", routes: Object.freeze([...routes]) });
}

/** A step to play, or why there is none. */
export type Decision = { readonly step: ScriptStep } | { readonly unexpected: string };

/** The state of one scenario while it is played. */
export interface Player {
  /** Never throws. Takes its step before it waits, so that calls use up a list in order of arrival. */
  decide(request: ModelRequest, signal: AbortSignal): Promise<Decision>;
  /** One line a step that was not played. */
  leftOver(): readonly string[];
}

export function createPlayer(scenario: Scenario): Player {
  if (typeof scenario === "function") return playFunction(scenario, "the scenario");
  if ("kind" in scenario) return playRoutes(scenario);
  return playList(scenario, "the script");
}

function playFunction(respond: Responder, name: string): Player {
  return {
    decide: (request, signal) => ask(respond, { request, signal, name }),
    leftOver: () => [],
  };
}

function playList(steps: readonly ScriptEntry[], name: string): Player {
  const entries = [...steps];
  let next = 0;
  return {
    decide: async (request, signal) => {
      const entry = entries[next];
      if (entry === undefined) return { unexpected: `${name} has no step left (it had ${entries.length})` };
      next += 1;
      if (typeof entry === "function")
        return ask(entry, { request, signal, name: `step ${next} of ${name}` });
      return { step: entry };
    },
    leftOver: () =>
      entries
        .slice(next)
        .map((entry, at) => `${name}, step ${next + at + 1} of ${entries.length}: ${describeStep(entry)}`),
  };
}

function playRoutes({ routes }: Routes): Player {
  const players = routes.map((one) => ({
    when: one.when,
    player:
      "steps" in one ? playList(one.steps, `"${one.name}"`) : playFunction(one.respond, `"${one.name}"`),
  }));
  return {
    decide: async (request, signal) => {
      try {
        const taken = players.find((one) => one.when(request));
        if (taken !== undefined) return await taken.player.decide(request, signal);
        return { unexpected: "no route matches it" };
      } catch (thrown) {
        return { unexpected: `the \`when\` of a route threw: ${errorText(thrown)}` };
      }
    },
    leftOver: () => players.flatMap((one) => one.player.leftOver()),
  };
}

async function ask(
  respond: Responder,
  call: { readonly request: ModelRequest; readonly signal: AbortSignal; readonly name: string },
): Promise<Decision> {
  try {
    const step = await respond(call.request, call.signal);
    return step === undefined ? { unexpected: `${call.name} has no answer to it` } : { step };
  } catch (thrown) {
    return { unexpected: `${call.name} threw: ${errorText(thrown)}` };
  }
}
