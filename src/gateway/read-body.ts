import type { IncomingMessage } from "node:http";

/** As the API: larger bodies are refused with 413. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The whole body, or undefined as soon as it is known to be larger than allowed. Rejects when the client goes. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return undefined;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) return void chunks.push(chunk);
      incoming.off("data", onData);
      resolve(undefined);
    };
    incoming.on("data", onData);
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("the client went away")));
  });
}
