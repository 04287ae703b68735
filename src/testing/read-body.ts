import type { IncomingMessage } from "node:http";

/** The body as text, or undefined when it is larger than `maxBytes`; then it is read to its end and thrown away. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes <= maxBytes) chunks.push(buffer);
    else chunks.length = 0;
  }
  return bytes <= maxBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}
