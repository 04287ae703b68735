import { z } from "zod";
import { firstCodePoints, oneLine } from "../base/text.ts";

/** Characters of the upstream's own words that get into an error. */
const MESSAGE_CHARS = 200;

const apiError = z.object({ error: z.object({ type: z.string().catch(""), message: z.string().catch("") }) });

/** `529 overloaded_error: Overloaded`; of a body in another form only its beginning, and of an encoded one nothing. */
export function statusText(status: number, body: string, secrets: readonly string[]): string {
  const error = parseApiError(body);
  const said = error === undefined ? body : error.message;
  const what = error === undefined ? String(status) : `${status} ${harmless(error.type, secrets)}`.trim();
  const words = harmless(said, secrets);
  return words === "" ? what : `${what}: ${words}`;
}

/** The `error` of a body or of an `error` event, or undefined when it has another form. */
export function parseApiError(text: string): { readonly type: string; readonly message: string } | undefined {
  try {
    return apiError.parse(JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}

/** The same without the credentials that the upstream repeats. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "[credential]"), text);
}

/** One short line, without control characters and credentials. */
function harmless(text: string, secrets: readonly string[]): string {
  // Secrets first: a cut in the middle of one would leave its beginning.
  return firstCodePoints(oneLine(withoutSecrets(text, secrets)), MESSAGE_CHARS);
}
