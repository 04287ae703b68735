import type { ScriptedModel } from "../../src/testing/index.ts";

/**
 * Asks a scripted model over plain HTTP. A connection of its own each time, so that a cut one is not used again;
 * but with `connection: close` the fetch of Node 20 takes a cut stream for a complete one: see `KEEP_ALIVE`.
 */
export function ask(
  model: Pick<ScriptedModel, "baseUrl">,
  options: {
    readonly prompt?: string;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Response> {
  const messages = [{ role: "user", content: options.prompt ?? "hello" }];
  return fetch(`${model.baseUrl}${options.path ?? "/v1/messages?beta=true"}`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close", ...options.headers },
    body: JSON.stringify({ model: "m", max_tokens: 1000, messages, ...options.body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** For calls that are cut in the middle, and for the CLI's own habit. */
export const KEEP_ALIVE = { connection: "keep-alive" };

/** Resolves when `holds` does: for what happens on the other side of a socket a moment later. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
