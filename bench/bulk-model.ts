import { createServer, type Server, type ServerResponse } from "node:http";

/** What one answer of the bulk model holds. */
export interface Bulk {
  /** Bash calls in one answer; 0: the answer ends the turn. */
  readonly calls: number;
  /** Characters that each of them prints. */
  readonly printsChars: number;
  /** Bytes of the answer's stream, at least. */
  readonly streamBytes: number;
}

/**
 * The least that answers the CLI with streams of a given size. Not the scripted model: that one remembers every
 * request, and here they add up to hundreds of megabytes.
 */
export async function startBulkModel(
  answers: readonly Bulk[],
): Promise<{ url: string; server: Server; asked: () => number }> {
  let asked = 0;
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    request.resume().on("end", () => {
      const answer = answers[asked];
      asked += 1;
      if (answer === undefined) response.writeHead(400).end("{}");
      else void stream(response, { answer, id: asked });
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { url: `http://127.0.0.1:${port}`, server, asked: () => asked };
}

/** One character a delta, as far from the usual as it gets: most of the stream is wrapping. */
const DELTA = event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "x" } });
const DELTAS_PER_WRITE = 50;

async function stream(response: ServerResponse, { answer, id }: { answer: Bulk; id: number }): Promise<void> {
  const message = {
    id: `msg_${id}_${process.pid}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
  };
  const usage = {
    input_tokens: 100,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event("message_start", { message: { ...message, content: [], stop_reason: null, usage } }));
  response.write(event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }));
  for (let sent = 0; sent < answer.streamBytes; sent += DELTA.length * DELTAS_PER_WRITE) {
    if (!response.write(DELTA.repeat(DELTAS_PER_WRITE)))
      await new Promise((drained) => response.once("drain", drained));
  }
  response.write(event("content_block_stop", { index: 0 }));
  for (let call = 1; call <= answer.calls; call += 1) {
    const command = `head -c ${answer.printsChars} /dev/zero | tr '\\0' x; echo ${id}-${call}`;
    const block = { type: "tool_use", id: `toolu_${id}_${call}`, name: "Bash", input: {} };
    const partial_json = JSON.stringify({ command });
    response.write(event("content_block_start", { index: call, content_block: block }));
    response.write(
      event("content_block_delta", { index: call, delta: { type: "input_json_delta", partial_json } }),
    );
    response.write(event("content_block_stop", { index: call }));
  }
  const stop_reason = answer.calls > 0 ? "tool_use" : "end_turn";
  response.write(event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage }));
  response.end(event("message_stop", {}));
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
