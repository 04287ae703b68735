import { createServer, type Server } from "node:http";
import { type Clock, systemClock } from "../base/clock.ts";
import { errorText, FlowerError } from "../base/errors.ts";
import { type RandomHex, randomHex } from "../base/ids.ts";
import type { Env } from "../config/env.ts";
import type { Lang } from "../lang/lang.ts";
import type { Resilience } from "../resilience/resilience.ts";
import { refuse } from "./api-error.ts";
import { admit } from "./guard.ts";
import { readIdentity } from "./identity.ts";
import { createLanes, type Lane, type LaneOptions } from "./lane.ts";
import { relayRequest } from "./relay.ts";
import { openUpstream } from "./upstream.ts";

export interface GatewayOptions {
  /** Has the real endpoint, credentials, proxies and `ANTHROPIC_CUSTOM_HEADERS`. */
  readonly env: Env;
  /** When to wait and how long; with `enabled: false` nothing is held. */
  readonly resilience: Resilience;
  /** Of the notices. */
  readonly lang: Lang;
  readonly clock?: Clock;
  /** For the keys of lanes. */
  readonly random?: RandomHex;
  /** Until the first byte of an answer. Default 300,000 for a stream, 600,000 for a plain answer. */
  readonly firstByteTimeoutMs?: number;
  /** Between two chunks of an answer. Default 120,000: the API sends a ping about every 15 s. */
  readonly idleTimeoutMs?: number;
}

/** A server on loopback between the CLI and the API (SPEC 22). */
export interface Gateway {
  /** For `ANTHROPIC_BASE_URL` of a child: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Opens a way through; its key goes into the child's `ANTHROPIC_API_KEY`. Throws `gateway/closed`. */
  open(options?: LaneOptions): Lane;
  /** Ends everything at once: no listener, socket or timer is left. Any number of times. */
  readonly close: () => void;
}

const LOOPBACK = "127.0.0.1";
const IDLE_TIMEOUT_MS = 120_000;

/**
 * Starts a gateway on a free port of 127.0.0.1.
 *
 * Throws `gateway/cannot-listen`, `gateway/bad-credential`, `gateway/bad-custom-header`,
 * `gateway/proxy-not-supported` and `resilience/bad-base-url`.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { env, resilience, lang } = options;
  const identity = readIdentity(env);
  const upstream = openUpstream(env);
  const lanes = createLanes(options.random ?? randomHex);
  const relay = {
    upstream,
    identity,
    env,
    resilience,
    lang,
    clock: options.clock ?? systemClock,
    firstByteTimeoutMs: options.firstByteTimeoutMs,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  };
  // No time-out for connections that rest: a client that uses one again just as we drop it would see a failure.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const admission = admit(incoming, { port, lanes });
    if ("refusal" in admission) return refuse(response, admission.refusal);
    void relayRequest(relay, { incoming, response, ...admission });
  });
  const port = await listen(server);
  // Told when a connection cannot be accepted (no descriptors left); the client tries again, and the run goes on.
  server.on("error", () => undefined);
  let isOpen = true;
  return {
    url: `http://${LOOPBACK}:${port}`,
    open: (lane = {}) => {
      if (!isOpen) {
        throw new FlowerError("gateway/closed", "the gateway was closed; it opens no more lanes", {
          hint: "Start another one.",
        });
      }
      upstream.prepare();
      return lanes.open(lane);
    },
    close: () => {
      isOpen = false;
      lanes.closeAll();
      server.close();
      server.closeAllConnections();
      upstream.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port: 0, host: LOOPBACK }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (thrown) {
    throw cannotListen(errorText(thrown), thrown);
  }
  const address = server.address();
  if (typeof address === "object" && address !== null) return address.port;
  throw cannotListen("the system names no port", undefined);
}

function cannotListen(why: string, cause: unknown): FlowerError {
  return new FlowerError("gateway/cannot-listen", `the gateway cannot listen on ${LOOPBACK}: ${why}`, {
    hint: "Switch it off with --no-gateway, or free a port.",
    cause,
  });
}
