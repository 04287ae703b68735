import { afterEach, expect, test } from "vitest";
import { listenToSignals } from "../../src/cli/signals.ts";

let now = 0;
let stop: () => void = () => undefined;
afterEach(() => stop());

test("a Ctrl-C that the terminal and npm both deliver counts once, one pressed again counts", () => {
  const heard: number[] = [];
  stop = listenToSignals(
    { onInterrupt: () => heard.push(now), onEnd: () => undefined },
    { now: () => now, sleep: () => Promise.resolve() },
  );
  for (const at of [1_000, 1_004, 1_150, 1_400]) {
    now = at;
    process.emit("SIGINT");
  }
  expect(heard).toEqual([1_000, 1_400]);
});

test("a clock that is set back makes nobody deaf", () => {
  const heard: number[] = [];
  stop = listenToSignals(
    { onInterrupt: () => heard.push(now), onEnd: () => undefined },
    { now: () => now, sleep: () => Promise.resolve() },
  );
  for (const at of [9_000_000, 1_000]) {
    now = at;
    process.emit("SIGINT");
  }
  expect(heard).toEqual([9_000_000, 1_000]);
});

test("different signals do not hide each other, and nothing is heard after the end", () => {
  const heard: (number | string)[] = [];
  stop = listenToSignals(
    { onInterrupt: () => heard.push("interrupt"), onEnd: (code) => heard.push(code) },
    { now: () => 0, sleep: () => Promise.resolve() },
  );
  process.emit("SIGHUP");
  process.emit("SIGINT");
  stop();
  expect(process.listenerCount("SIGHUP")).toBe(0);
  expect(heard).toEqual([129, "interrupt"]);
});
