import { createHash, timingSafeEqual } from "node:crypto";
import type { RandomHex } from "../base/ids.ts";
import { createOutageMemory, type HoldNotice, type OutageMemory } from "./hold.ts";
import type { Tokens } from "./tokens.ts";

/** What one request to the Messages API took. Written once, when the request is over. */
export interface RequestUsage {
  /** As the answer names it, else as the request does; empty when neither was readable. */
  readonly model: string;
  /** The subagent that asked; null for the main thread. */
  readonly agentId: string | null;
  /** The API's `request-id`. */
  readonly requestId: string | null;
  /** HTTP status that the client got. */
  readonly status: number;
  /** Whether the client got the whole answer, to its last event. */
  readonly complete: boolean;
  readonly tokens: Tokens;
  /** From the arrival of the request until it was sent for the last time. */
  readonly heldMs: number;
  /** From that send to the first byte of the answer; null when none came. */
  readonly firstByteMs: number | null;
  /** From the arrival of the request to its end. */
  readonly durationMs: number;
  /** Of the answer's body, as relayed. */
  readonly bytes: number;
}

/** What one query of the SDK wants to know and to decide. Contract: none of these may throw. */
export interface LaneOptions {
  readonly onHold?: (notice: HoldNotice) => void;
  readonly onUsage?: (usage: RequestUsage) => void;
  /** Asked before a request to `/v1/messages` is sent; a text refuses it, and is what the CLI shows. */
  readonly refuse?: () => string | undefined;
}

/** A way through the gateway for one query: requests, notices, usage and budget belong to its key. */
export interface Lane {
  /** Given to the child instead of a credential; opens nothing but this lane. */
  readonly key: string;
  /** Why the last request failed or was refused; undefined after one that went well. */
  readonly lastError: string | undefined;
  /**
   * Revokes the key, and ends what the lane has in flight or held. Resolves when all of it is over and its usage has
   * been told, which is soon.
   */
  close(): Promise<void>;
}

/** A lane from the inside. */
export interface OpenLane {
  readonly options: LaneOptions;
  readonly memory: OutageMemory;
  /** Every request in flight or held: what ends it, and when it is over. */
  readonly requests: Map<AbortController, Promise<void>>;
  lastError: string | undefined;
}

/** The lanes that are open, found by their keys. */
export interface Lanes {
  open(options: LaneOptions): Lane;
  /** The lane of one of these keys. Takes the same time whether a key is wrong in its first or last character. */
  find(keys: readonly string[]): OpenLane | undefined;
  closeAll(): void;
}

/** 256 bits: nobody guesses it, not even without a limit to tries. */
const KEY_BYTES = 32;

export function createLanes(random: RandomHex): Lanes {
  const lanes = new Map<OpenLane, Buffer>();
  const close = async (lane: OpenLane): Promise<void> => {
    lanes.delete(lane);
    for (const request of lane.requests.keys()) request.abort(new LaneClosedError());
    await Promise.all(lane.requests.values());
  };
  return {
    open: (options) => {
      const key = `flower-${random(KEY_BYTES)}`;
      const lane: OpenLane = {
        options,
        memory: createOutageMemory(),
        requests: new Map(),
        lastError: undefined,
      };
      lanes.set(lane, digest(key));
      return {
        key,
        get lastError() {
          return lane.lastError;
        },
        close: () => close(lane),
      };
    },
    find: (keys) => {
      const presented = keys.map(digest);
      // Every lane is compared, whichever fits.
      const fitting = [...lanes].filter(([, known]) =>
        presented.map((one) => timingSafeEqual(one, known)).includes(true),
      );
      return fitting[0]?.[0];
    },
    closeAll: () => {
      for (const lane of lanes.keys()) void close(lane);
    },
  };
}

class LaneClosedError extends Error {}

/** Digests are of one length, which `timingSafeEqual` needs, and tell nothing of the key's own. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
