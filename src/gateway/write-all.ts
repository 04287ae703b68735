import type { ServerResponse } from "node:http";

/**
 * Writes chunks until there are none, waiting for a client that is slower than the source, and ends the response.
 *
 * Resolves when everything has been handed to the system; rejects with what `next` rejects with, or when the
 * connection closes before.
 */
export async function writeAll(
  response: ServerResponse,
  next: () => Promise<Buffer | undefined>,
): Promise<void> {
  for (;;) {
    const chunk = await next();
    if (chunk === undefined) break;
    if (!response.write(chunk)) await once(response, "drain");
  }
  const finished = once(response, "finish");
  response.end();
  await finished;
}

function once(response: ServerResponse, event: "drain" | "finish"): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new Error("the connection is closed"));
    const onEvent = (): void => {
      response.off("close", onClose);
      resolve();
    };
    const onClose = (): void => {
      response.off(event, onEvent);
      reject(new Error("the connection was closed"));
    };
    response.once(event, onEvent);
    response.once("close", onClose);
  });
}
