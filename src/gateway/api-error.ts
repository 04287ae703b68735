import type { ServerResponse } from "node:http";

/** An error as the Messages API words it; all that flower answers by itself has this shape. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** With this header the CLI shows the error at once and makes none of its own ten retries (CLI 2.1.332). */
export const DO_NOT_RETRY: readonly [string, string] = ["x-should-retry", "false"];

export function errorBody({ type, message }: Pick<ApiError, "type" | "message">): Buffer {
  return Buffer.from(JSON.stringify({ type: "error", error: { type, message } }));
}

/**
 * Answers a request that is not relayed. What is left of its body is read and thrown away, for as long as Node lets
 * a request take (five minutes): a connection closed on a client that still writes takes the answer with it.
 */
export function refuse(response: ServerResponse, error: ApiError): void {
  const body = errorBody(error);
  response.writeHead(error.status, [
    "content-type",
    "application/json",
    "content-length",
    String(body.length),
    ...DO_NOT_RETRY,
  ]);
  response.end(body);
  response.req.resume();
}
