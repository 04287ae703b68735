import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import type { Event, EventOf } from "../../src/events/event.ts";
import { HumanChannel, type HumanChannelOptions } from "../../src/human/human-channel.ts";

/** A clock that stands still until a test moves it, and knows who sleeps on it. */
export interface ManualClock extends Clock {
  /** Moves on and wakes whoever is due, then lets what follows from it happen. */
  readonly advance: (ms: number) => Promise<void>;
  readonly sleepers: () => number;
}

export const START = Date.UTC(2025, 0, 2, 3, 4, 5);

export function manualClock(): ManualClock {
  let now = START;
  const sleeping = new Set<{ due: number; wake: () => void }>();
  return {
    now: () => now,
    sleepers: () => sleeping.size,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = {
          due: now + ms,
          wake: () => {
            sleeping.delete(sleeper);
            resolve();
          },
        };
        sleeping.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleeping.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        const next = [...sleeping].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        now = next.due;
        next.wake();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** After everything that is already on its way has happened. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface World {
  readonly channel: HumanChannel;
  readonly clock: ManualClock;
  readonly events: Event[];
  /** `kind state` of every event so far. */
  readonly states: () => string[];
  readonly logPath: string;
  readonly amendPath: string;
  readonly read: (path: string) => string;
}

export function makeWorld(options: HumanChannelOptions = {}): World {
  const root = mkdtempSync(join(tmpdir(), "flower-human-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const clock = manualClock();
  const events: Event[] = [];
  const logPath = join(root, "notes", "qa.md");
  const amendPath = join(root, "notes", "brief.md");
  let ids = 0;
  const channel = new HumanChannel({
    clock,
    logPath,
    amendPath,
    random: () => {
      ids += 1;
      return `r${ids}`;
    },
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => channel.close());
  const states = (): string[] => events.map((event) => describe(event));
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  return { channel, clock, events, states, logPath, amendPath, read };
}

function describe(event: Event): string {
  if (event.kind !== "ask") return event.kind;
  const { kind, state }: EventOf<"ask">["payload"] = event.payload;
  return `${kind} ${state}`;
}
