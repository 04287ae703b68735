import { createServer } from "node:http";
import { type Clock, systemClock } from "../base/clock.ts";
import { type RandomHex, randomHex } from "../base/ids.ts";
import { answerCall, type OpenCall } from "./answer-call.ts";
import { createCallLog, type ModelCall, type OtherRequest } from "./call-log.ts";
import { describeRequest } from "./describe.ts";
import { type ChildEnvironmentOptions, childEnvironment } from "./environment.ts";
import { LOOPBACK, listen, stopListening } from "./listener.ts";
import { createPlayer, type Responder, type Scenario } from "./scenario.ts";
import { ScriptedModelError } from "./scripted-model-error.ts";

export interface ScriptedModelOptions {
  /** Measures delays and stalls, and stamps calls. */
  readonly clock?: Clock;
  /** For the ids of messages, tool calls and requests. */
  readonly random?: RandomHex;
  /** Default 0: a free one. */
  readonly port?: number;
  /**
   * Answers what the CLI asks for itself (probes, token counts, progress summaries), which never reaches the
   * scenario. `undefined` leaves a call to the default answer.
   */
  readonly sideCalls?: Responder;
}

/** A server on loopback that speaks the Messages API from a script. Close it: it owns sockets and timers. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`; the same after `refuse` and `accept`. */
  readonly baseUrl: string;
  /** Every call of the Messages API so far, in order of arrival; frozen. */
  readonly calls: readonly ModelCall[];
  /** Everything else that was asked, in order: shows whether a client stays with the Messages API. */
  readonly otherRequests: readonly OtherRequest[];
  /** The environment for the SDK's child process (`options.env`). */
  env(options: ChildEnvironmentOptions): Record<string, string>;
  /** Throws `ScriptedModelError` naming every unexpected call and every step left over. */
  assertComplete(): void;
  /** From now on connections are refused; open ones are cut. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. Throws `testing/cannot-listen` when somebody took it meanwhile. */
  accept(): Promise<void>;
  /** Ends all sockets and timers. Calls may follow each other in any order and number. */
  close(): Promise<void>;
}

/**
 * Starts a scripted model.
 *
 * Contract: calls use up a list in order of arrival, one step a call, and a retry is a call. An unexpected call
 * gets a 400 that says so, which the CLI does not retry, so that a run that left the script ends at once.
 * Throws `testing/cannot-listen`.
 */
export async function startScriptedModel(
  scenario: Scenario,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const log = createCallLog();
  const player = createPlayer(scenario);
  const open = new Set<OpenCall>();
  const running = {
    player,
    log,
    sideCalls: options.sideCalls,
    clock: options.clock ?? systemClock,
    random: options.random ?? randomHex,
  };
  // No time-outs of our own: a client that reuses a connection just as the server drops it would see a failure
  // that no script asked for, and a delayed answer may take as long as it likes.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (incoming, response) => {
    void answerCall(incoming, response, { running, open });
  });
  const port = await listen(server, options.port ?? 0);
  const baseUrl = `http://${LOOPBACK}:${port}`;

  const stop = async (): Promise<void> => {
    for (const call of open) call.cut();
    await stopListening(server);
  };
  return {
    baseUrl,
    get calls() {
      return log.calls();
    },
    get otherRequests() {
      return log.others();
    },
    env: (wanted) => childEnvironment(baseUrl, wanted),
    assertComplete: () => {
      const unexpectedCalls = [
        ...log
          .calls()
          .filter((call) => call.answered === "unexpected")
          .map((call) => `${describeRequest(call.request)}: ${call.reason ?? ""}`),
        ...log.others().flatMap((one) => (one.problem === undefined ? [] : [`${one.path}: ${one.problem}`])),
      ];
      const leftOverSteps = player.leftOver();
      if (unexpectedCalls.length + leftOverSteps.length > 0) {
        throw new ScriptedModelError({ unexpectedCalls, leftOverSteps });
      }
    },
    refuse: stop,
    accept: async () => {
      if (!server.listening) await listen(server, port);
    },
    close: stop,
  };
}
