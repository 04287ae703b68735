import type { Env } from "../config/env.ts";
import { costOf } from "../config/prices.ts";
import { createEvent, type EventSink } from "../events/event.ts";
import { laneEnvironment } from "../gateway/child-environment.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { HoldNotice } from "../gateway/hold.ts";

/** A query's way to the API through the gateway. */
export interface QueryLane {
  /** Laid over the child's environment. */
  readonly endpoint: Env;
  /** US dollars that its requests have cost so far, as the CLI would count them. */
  readonly costUsd: number;
  /** Why the gateway stopped waiting for the API; undefined while it has not. */
  readonly gaveUp: string | undefined;
  /** Ends what it has in flight; when it resolves, `costUsd` is final. */
  close(): Promise<void>;
}

export interface LaneRequest {
  readonly base: Env;
  readonly onEvent: EventSink;
  /** Asked before each request is sent; a text refuses it. */
  readonly refuse: () => string | undefined;
  /** Called when a request is over, with the US dollars that the lane has cost so far. */
  readonly onCost: (usd: number) => void;
}

/** Opens a lane whose holds are told as `retry` events. */
export function openLane(gateway: Gateway, { base, onEvent, refuse, onCost }: LaneRequest): QueryLane {
  let gaveUp: string | undefined;
  let costUsd = 0;
  let isClosed = false;
  const lane = gateway.open({
    refuse,
    onUsage: ({ model, tokens, status }) => {
      costUsd += costOf(model, tokens);
      if (status < 400) gaveUp = undefined;
      // What is told of a request that the end of its query broke off is in nobody's books any more.
      if (!isClosed) onCost(costUsd);
    },
    onHold: (notice) => {
      if (notice.phase === "gave_up") gaveUp = notice.text;
      onEvent(retryEvent(notice));
    },
  });
  return {
    endpoint: laneEnvironment(base, { url: gateway.url, key: lane.key }),
    get costUsd() {
      return costUsd;
    },
    get gaveUp() {
      return gaveUp;
    },
    close: () => {
      isClosed = true;
      return lane.close();
    },
  };
}

function retryEvent(notice: HoldNotice): ReturnType<typeof createEvent<"retry">> {
  const payload = {
    phase: notice.phase === "waiting" ? "backoff" : notice.phase,
    attempt: notice.attempt,
    max_attempts: null,
    wait_ms: notice.waitMs,
    error: notice.error,
    agent_id: notice.agentId,
    since_ms: notice.sinceMs,
  } as const;
  return createEvent("retry", payload, { text: notice.text, raw: notice });
}
