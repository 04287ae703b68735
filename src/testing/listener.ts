import type { Server } from "node:http";
import { errorText, FlowerError } from "../base/errors.ts";

export const LOOPBACK = "127.0.0.1";

/** Starts to listen on loopback and returns the port; 0 asks for a free one. */
export async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host: LOOPBACK }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (thrown) {
    throw new FlowerError(
      "testing/cannot-listen",
      `cannot listen on ${LOOPBACK}:${port}: ${errorText(thrown)}`,
      {
        hint: "Leave the port out to get a free one.",
        cause: thrown,
      },
    );
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Stops to listen and ends every connection; resolves when the last one is gone. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
