import type { ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import type { RandomHex } from "../base/ids.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ErrorStep, ReplyStep, ScriptStep } from "./script-step.ts";
import { wireJson, wireTokenCount } from "./wire-json.ts";
import { type WireAnswer, wireMessage } from "./wire-message.ts";
import { wireErrorEvent, wireStream } from "./wire-stream.ts";

/** One answer on its way out. */
export interface Stage {
  readonly request: ModelRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly clock: Clock;
  readonly random: RandomHex;
  /** Aborts when the connection is gone or the model is closed. */
  readonly signal: AbortSignal;
  /** Cuts the connection, as the script wants it. */
  cut(): void;
}

/** Plays one step to its end. Rejects with the signal's reason when the connection goes while it waits. */
export async function playStep(step: ScriptStep, stage: Stage): Promise<void> {
  switch (step.kind) {
    case "reply": {
      const answer = wire(step, stage);
      await send(answer, { from: 0, to: answer.pieces.length }, { step, stage });
      stage.response.end();
      return;
    }
    case "error":
      playError(step, stage);
      return;
    case "drop": {
      if (step.when === "mid-stream") {
        const answer = wire(step.after, stage);
        await send(answer, { from: 0, to: answer.middle }, { step: step.after, stage });
      }
      stage.cut();
      return;
    }
    case "stall": {
      const answer = wire(step.step, stage);
      const at = step.when === "mid-stream" ? answer.middle : 0;
      await send(answer, { from: 0, to: at }, { step: step.step, stage });
      await silence(step.ms, stage);
      await send(answer, { from: at, to: answer.pieces.length }, { step: step.step, stage });
      stage.response.end();
      return;
    }
    case "delay":
      await stage.clock.sleep(step.ms, stage.signal);
      await playStep(step.step, stage);
  }
}

function wire(step: ReplyStep, { request, random }: Stage): WireAnswer {
  if (request.kind === "count-tokens") return wireTokenCount(step.usage.input);
  const message = wireMessage(step, request.model, random);
  return request.stream ? wireStream(message) : wireJson(message);
}

/** Resolves when the pieces have left this process, so that a cut after it does not take them back. */
async function send(
  answer: WireAnswer,
  range: { readonly from: number; readonly to: number },
  { step, stage }: { readonly step: ReplyStep; readonly stage: Stage },
): Promise<void> {
  const { response, clock, signal } = stage;
  for (const [at, piece] of answer.pieces.entries()) {
    if (at < range.from || at >= range.to) continue;
    const paused = step.betweenBlocksMs > 0 && piece.startsBlock;
    if (paused && answer.pieces.slice(0, at).some((earlier) => earlier.startsBlock)) {
      await clock.sleep(step.betweenBlocksMs, signal);
    }
    if (!response.headersSent) writeHead(answer, stage);
    await written(piece.text, stage);
  }
}

/** A plain answer tells its length, so that the client notices when it was cut. */
function writeHead(answer: WireAnswer, { response, requestId, request }: Stage): void {
  const length = answer.pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece.text), 0);
  response.writeHead(200, {
    "content-type": answer.contentType,
    "request-id": requestId,
    ...(request.stream ? { "cache-control": "no-cache" } : { "content-length": String(length) }),
  });
}

function written(text: string, { response, signal }: Stage): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    response.write(text, (failure) => (failure ? reject(failure) : resolve()));
  });
}

function playError(step: ErrorStep, { request, response, requestId }: Stage): void {
  const error = { type: step.type, message: step.message };
  if (step.inStream && request.stream) {
    response.writeHead(200, {
      ...step.headers,
      "content-type": "text/event-stream",
      "request-id": requestId,
    });
    response.end(wireErrorEvent(error));
    return;
  }
  const body = JSON.stringify({ type: "error", error, request_id: requestId });
  response.writeHead(step.status, {
    ...step.headers,
    "content-type": "application/json",
    "request-id": requestId,
    "content-length": String(Buffer.byteLength(body)),
  });
  response.end(body);
}

async function silence(ms: number | undefined, { clock, signal }: Stage): Promise<void> {
  if (ms !== undefined) return clock.sleep(ms, signal);
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
