import { type ClientRequest, type IncomingMessage, request } from "node:http";

export interface Reply {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** Whether the connection was closed before the answer was complete. */
  readonly isCut: boolean;
}

export interface Question {
  readonly key?: string;
  readonly method?: string;
  readonly path?: string;
  /** Names and values in turn, over `x-api-key`, which `key` gives. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Called with the request, to abort it or to look at its socket. */
  readonly onRequest?: (request: ClientRequest) => void;
  readonly onData?: (chunk: Buffer) => void;
}

const MESSAGE = JSON.stringify({
  model: "claude-asked",
  max_tokens: 10,
  messages: [{ role: "user", content: "hello" }],
  stream: true,
});

/** Asks over a connection of its own and gives back every byte. Rejects when no headers came. */
export function ask(url: string, question: Question = {}): Promise<Reply> {
  const { key, method = "POST", path = "/v1/messages?beta=true", body = MESSAGE } = question;
  const { hostname, port, host } = new URL(url);
  const hasHost = (question.headers ?? []).some((name) => name.toLowerCase() === "host");
  const bytes = Buffer.from(body);
  const headers = [
    ...(hasHost ? [] : ["host", host]),
    ...(key === undefined ? [] : ["x-api-key", key]),
    ...(bytes.length > 0 ? ["content-length", String(bytes.length)] : []),
    ...(question.headers ?? []),
  ];
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        question.onData?.(chunk);
      });
      response.on("error", () => undefined);
      response.once("close", () =>
        resolve({
          status: response.statusCode ?? 0,
          rawHeaders: response.rawHeaders,
          headers: response.headers,
          body: Buffer.concat(chunks),
          isCut: !response.complete,
        }),
      );
    });
    asking.once("error", reject);
    question.onRequest?.(asking);
    asking.end(bytes);
  });
}

export function errorIn(reply: Reply): { type: string; message: string } {
  const parsed = JSON.parse(reply.body.toString("utf8")) as { error: { type: string; message: string } };
  return parsed.error;
}

/** Resolves when `holds` does: for what happens on the other side of a socket a moment later. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
