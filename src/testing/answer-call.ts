import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import type { RandomHex } from "../base/ids.ts";
import type { AnswerKind, CallLog } from "./call-log.ts";
import { describeRequest } from "./describe.ts";
import type { ModelRequest } from "./model-request.ts";
import { isCountTokens, parseRequest } from "./parse-request.ts";
import { playStep } from "./play-step.ts";
import { readBody } from "./read-body.ts";
import type { Decision, Player, Responder } from "./scenario.ts";
import type { ScriptStep } from "./script-step.ts";
import { error, reply } from "./steps.ts";

/** What one scripted model has while it runs. */
export interface RunningModel {
  readonly player: Player;
  readonly sideCalls: Responder | undefined;
  readonly log: CallLog;
  readonly clock: Clock;
  readonly random: RandomHex;
}

/** A connection in use: `cut` ends it from our side, so that it is not taken for a client that went. */
export interface OpenCall {
  cut(): void;
}

/** As the API: bodies above it are refused with 413. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Answers one HTTP request. Never rejects: what goes wrong is answered and recorded. */
export async function answerCall(
  incoming: IncomingMessage,
  response: ServerResponse,
  { running, open }: { readonly running: RunningModel; readonly open: Set<OpenCall> },
): Promise<void> {
  const path = incoming.url ?? "/";
  const pathname = path.split("?")[0] ?? "";
  const isCall = incoming.method === "POST" && (pathname.endsWith("/v1/messages") || isCountTokens(path));
  try {
    if (!isCall) return answerOther(incoming, response, running.log);
    const text = await readBody(incoming, MAX_BODY_BYTES);
    const parsed =
      text === undefined
        ? `a body of more than ${MAX_BODY_BYTES} bytes`
        : parse(incoming, { path, text, running });
    if (typeof parsed === "string") {
      const status = text === undefined ? 413 : 400;
      running.log.addOther({ method: "POST", path, status, problem: parsed });
      return endJson(response, status, parsed);
    }
    running.log.add(parsed, running.clock.now());
    await play(parsed, response, { running, open });
  } catch {
    // Reading failed because the client went: there is nobody left to tell.
    response.destroy();
  }
}

function parse(
  incoming: IncomingMessage,
  raw: { readonly path: string; readonly text: string; readonly running: RunningModel },
): ModelRequest | string {
  const index = raw.running.log.calls().length;
  try {
    return parseRequest({ index, path: raw.path, headers: incoming.headers, text: raw.text });
  } catch (thrown) {
    return `a body that is no Messages API request: ${errorText(thrown)}`;
  }
}

async function play(
  request: ModelRequest,
  response: ServerResponse,
  { running, open }: { readonly running: RunningModel; readonly open: Set<OpenCall> },
): Promise<void> {
  const { log, clock, random } = running;
  const gone = new AbortController();
  let ours = false;
  const cut = (): void => {
    ours = true;
    gone.abort();
    response.destroy();
  };
  const call: OpenCall = { cut };
  open.add(call);
  const closed = (): void => {
    open.delete(call);
    if (!response.writableFinished && !ours) log.change(request.index, { clientGone: true });
    gone.abort();
  };
  response.once("close", closed);
  if (response.destroyed) closed();
  try {
    const { step, answered, reason } = await unlessGone(decide(request, running, gone.signal), gone.signal);
    log.change(request.index, { answered, reason });
    const requestId = `req_${random(12)}`;
    await playStep(step, { request, response, requestId, clock, random, signal: gone.signal, cut });
  } catch (thrown) {
    if (gone.signal.aborted) return;
    log.change(request.index, {
      answered: "unexpected",
      reason: `the step could not be played: ${errorText(thrown)}`,
    });
    cut();
  }
}

interface Choice {
  readonly step: ScriptStep;
  readonly answered: AnswerKind;
  readonly reason: string | undefined;
}

async function decide(request: ModelRequest, running: RunningModel, signal: AbortSignal): Promise<Choice> {
  const isSideCall = request.kind !== "turn" && request.kind !== "compaction";
  if (!isSideCall) return chosen(await running.player.decide(request, signal), request);
  try {
    const step = await running.sideCalls?.(request, signal);
    if (step !== undefined) return chosen({ step }, request);
  } catch (thrown) {
    return chosen({ unexpected: `\`sideCalls\` threw: ${errorText(thrown)}` }, request);
  }
  return { step: defaultAnswer(request), answered: "default", reason: undefined };
}

function chosen(decision: Decision, request: ModelRequest): Choice {
  if ("step" in decision) {
    return { step: decision.step, answered: kindBehindDelays(decision.step), reason: undefined };
  }
  const message = `unexpected ${describeRequest(request)}: ${decision.unexpected}`;
  return { step: error(400, { message }), answered: "unexpected", reason: decision.unexpected };
}

function kindBehindDelays(step: ScriptStep): AnswerKind {
  return step.kind === "delay" ? kindBehindDelays(step.step) : step.kind;
}

/** Four characters a token: near enough for a number that only has to grow with the text. */
const CHARS_PER_TOKEN = 4;

function defaultAnswer(request: ModelRequest): ScriptStep {
  if (request.kind === "count-tokens") {
    const input = Math.ceil(JSON.stringify(request.body).length / CHARS_PER_TOKEN);
    return reply({ usage: { input } });
  }
  return reply(request.kind === "progress-summary" ? "Working on the task" : "Hi");
}

/** A responder that never answers must not keep the call when its client is gone. */
async function unlessGone<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let giveUp = (): void => undefined;
  const gone = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work, gone]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** `HEAD /api/hello` is asked by a CLI that may make non-essential requests; the rest is not there. */
function answerOther(incoming: IncomingMessage, response: ServerResponse, log: CallLog): void {
  const path = incoming.url ?? "/";
  const method = incoming.method ?? "GET";
  const status = path.split("?")[0] === "/api/hello" ? 200 : 404;
  incoming.resume();
  log.addOther({ method, path, status, problem: undefined });
  endJson(response, status, `${method} ${path}`);
}

function endJson(response: ServerResponse, status: number, about: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  const { type } = error(status);
  response.end(
    JSON.stringify(status < 400 ? { ok: true } : { type: "error", error: { type, message: about } }),
  );
}
