import { type Gateway, type GatewayOptions, startGateway } from "../gateway/gateway.ts";

/** The gateway of one runtime: started before its first step, closed with it. */
export interface OwnGateway {
  /** Undefined before `start`, and where it is switched off. */
  readonly current: Gateway | undefined;
  /** Throws what `startGateway` throws. */
  start(): Promise<void>;
  close(): void;
}

export function createOwnGateway(options: GatewayOptions, isOn: boolean): OwnGateway {
  let current: Gateway | undefined;
  let isClosed = false;
  return {
    get current() {
      return current;
    },
    start: async () => {
      if (!isOn) return;
      current = await startGateway(options);
      // Closed while it was started: nobody else will.
      if (isClosed) current.close();
    },
    close: () => {
      isClosed = true;
      current?.close();
    },
  };
}
