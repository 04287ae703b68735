import type { IncomingMessage } from "node:http";
import type { ApiError } from "./api-error.ts";
import type { Lanes, OpenLane } from "./lane.ts";

export type Admission =
  | { readonly lane: OpenLane; readonly pathname: string }
  | { readonly refusal: ApiError };

/**
 * Whether a request may use the gateway: it must be meant for us (its `Host` is loopback and our port, so that no
 * web page reaches us under a name of its own), bring the key of an open lane, and ask for a path under `/v1`.
 */
export function admit(incoming: IncomingMessage, door: { port: number; lanes: Lanes }): Admission {
  if (!isOurs(incoming.headers.host, door.port)) {
    return refused(403, "permission_error", "this is a gateway for programs on its own machine");
  }
  const lane = door.lanes.find(keysOf(incoming));
  if (lane === undefined) return refused(401, "authentication_error", "invalid x-api-key");
  const pathname = allowedPath(incoming.url ?? "");
  if (pathname === undefined) return refused(404, "not_found_error", "only paths under /v1 are relayed");
  return { lane, pathname };
}

function refused(status: number, type: string, message: string): Admission {
  return { refusal: { status, type, message } };
}

function isOurs(host: string | undefined, port: number): boolean {
  const folded = host?.toLowerCase();
  return ["127.0.0.1", "localhost", "[::1]"].some((name) => folded === `${name}:${port}`);
}

function keysOf({ headers }: IncomingMessage): readonly string[] {
  const plain = headers["x-api-key"];
  const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? "")?.[1];
  return [typeof plain === "string" ? plain : undefined, bearer].filter((key) => key !== undefined);
}

/**
 * The path without its query when it lies under `/v1`, however the server behind reads it: no segment that goes up,
 * no slash in disguise, nothing that cannot be decoded.
 */
function allowedPath(url: string): string | undefined {
  const pathname = url.split("?")[0] ?? "";
  if (!/^\/v1(?:\/|$)/.test(pathname) || pathname.includes("#")) return undefined;
  const segments = pathname.split("/").slice(1).map(decoded);
  const isPlain = segments.every(
    (segment) => segment !== undefined && !["", ".", ".."].includes(segment) && !/[/\\%\0]/.test(segment),
  );
  return isPlain || pathname === "/v1/" ? pathname : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
